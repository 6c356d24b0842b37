using Strata.Server.Hosting;

return (int)ServerHost.Run(args, static _ => new IdleEngine());
