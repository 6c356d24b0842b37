return Strata.Bench.BenchCommandLine.Run(args, Console.Out, Console.Error);
