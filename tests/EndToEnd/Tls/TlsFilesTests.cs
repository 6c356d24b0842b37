using System.Security.Authentication;
using NUnit.Framework;
using Strata.Tests.Support;

namespace Strata.Tests.EndToEnd.Tls;

/// <summary>Certificates, keys and parameters in the forms that they may have.</summary>
[TestFixture(ServerKind.Strata)]
[TestFixture(ServerKind.Redis)]
internal sealed class TlsFilesTests(ServerKind kind)
{
    private const string Password = "behind \"quotes\"";

    [Test]
    public void A_key_may_be_encrypted()
    {
        using var server = new TlsServerProcess(kind);
        server.Certificates.Issue("other");
        server.Certificates.Encrypt("other", Password);
        using var client = server.Process.Connect();
        string[] set =
        [
            "CONFIG", "SET", "tls-cert-file", server.Certificates.Certificate("other"),
            "tls-key-file", server.Certificates.Key("other"), "tls-key-file-pass",
        ];
        Assert.That(client.Call([.. set, "wrong"]).Text, Does.StartWith("ERR CONFIG SET failed"));
        Assert.That(client.Call([.. set, ""]).Text, Does.StartWith("ERR CONFIG SET failed"));
        Assert.That(server.OpenSsl(""), Does.Contain("subject=CN = server"), "the old one stays");
        Assert.That(client.Call([.. set, Password]).Text, Is.EqualTo("OK"));
        Assert.That(server.OpenSsl(""), Does.Contain("subject=CN = other"));
        Assert.That(server.Process.Output, Does.Not.Contain(Password));
    }

    [Test]
    public void Authorities_may_stand_in_a_folder()
    {
        using var certificates = new TestCertificates();
        var folder = Directory.CreateDirectory(Path.Combine(certificates.Folder, "authorities")).FullName;
        using var server = new TlsServerProcess(kind, "--tls-ca-cert-file", "", "--tls-ca-cert-dir", folder);
        Assert.That(server.Serves(), Is.False, "the folder is empty");
        var authority = server.Certificates.Certificate("authority");
        var name = ProgramRun.Run("openssl", ["x509", "-in", authority, "-noout", "-hash"]).Output.Trim();
        File.Copy(authority, Path.Combine(folder, name + ".0"));
        Assert.That(server.Serves(SslProtocols.Tls12), "it is looked up when it is needed");
        Assert.That(server.Serves(SslProtocols.Tls13));
        Assert.That(server.Serves(certificate: "stranger"), Is.False);
    }

    [Test]
    public void Parameters_for_older_ciphers_are_those_of_the_file()
    {
        using var certificates = new TestCertificates();
        certificates.IssueRsa("rsa");
        var parameters = Path.Combine(certificates.Folder, "dh.pem");
        _ = ProgramRun.Run(
            "openssl", ["genpkey", "-genparam", "-algorithm", "DH", "-pkeyopt", "group:ffdhe3072", "-out", parameters]);
        using var server = new TlsServerProcess(
            kind,
            "--tls-cert-file", certificates.Certificate("rsa"),
            "--tls-key-file", certificates.Key("rsa"),
            "--tls-dh-params-file", parameters);
        string[] old = ["-tls1_2", "-cipher", "DHE-RSA-AES128-GCM-SHA256"];
        Assert.That(server.OpenSsl("", old), Does.Contain("Server Temp Key: DH, 3072 bits"));

        using var client = server.Process.Connect();
        Assert.That(
            client.Call("CONFIG", "SET", "tls-dh-params-file", certificates.Key("rsa")).Text,
            Does.Contain("Unable to update TLS configuration"));
        Assert.That(server.OpenSsl("", old), Does.Contain("Server Temp Key: DH, 3072 bits"), "the old ones stay");
    }
}
