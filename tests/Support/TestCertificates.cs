using System.Security.Cryptography;
using System.Security.Cryptography.X509Certificates;

namespace Strata.Tests.Support;

/// <summary>Certificates for tests in a folder of their own, which disposing removes: an authority, what it has signed,
/// and a stranger that nobody has signed. Each NAME is NAME.crt with the key NAME.key (PEM).</summary>
public sealed class TestCertificates : IDisposable
{
    private readonly X509Certificate2 _authority;

    public TestCertificates()
    {
        using var key = ECDsa.Create(ECCurve.NamedCurves.nistP256);
        var request = new CertificateRequest("CN=authority", key, HashAlgorithmName.SHA256);
        request.CertificateExtensions.Add(new X509BasicConstraintsExtension(true, false, 0, true));
        _authority = request.CreateSelfSigned(DateTimeOffset.UtcNow.AddDays(-1), DateTimeOffset.UtcNow.AddYears(1));
        Write("authority", _authority, key);
        Issue("server");
        Issue("client");
        using var strange = ECDsa.Create(ECCurve.NamedCurves.nistP256);
        using var stranger = new CertificateRequest("CN=stranger", strange, HashAlgorithmName.SHA256)
            .CreateSelfSigned(DateTimeOffset.UtcNow.AddDays(-1), DateTimeOffset.UtcNow.AddYears(1));
        Write("stranger", stranger, strange);
    }

    public string Folder { get; } = Directory.CreateTempSubdirectory("strata-certificates-").FullName;

    /// <summary>The flags that a server needs for TLS, but for the port.</summary>
    public string[] Flags =>
    [
        "--tls-cert-file", Certificate("server"), "--tls-key-file", Key("server"),
        "--tls-ca-cert-file", Certificate("authority"),
    ];

    public string Certificate(string name) => Path.Combine(Folder, name + ".crt");

    public string Key(string name) => Path.Combine(Folder, name + ".key");

    /// <summary>What a client looks at of a server's certificate: who has signed it.</summary>
    public static bool IsOfAuthority(X509Certificate? certificate) => certificate?.Issuer == "CN=authority";

    /// <summary>A certificate with its key.</summary>
    public X509Certificate2 Load(string name)
        => X509Certificate2.CreateFromPemFile(Certificate(name), Key(name));

    /// <summary>Makes one that the authority signs.</summary>
    /// <param name="name">What its files are called.</param>
    /// <param name="days">After how many it expires.</param>
    public void Issue(string name, double days = 90)
    {
        using var key = ECDsa.Create(ECCurve.NamedCurves.nistP256);
        var request = new CertificateRequest($"CN={name}", key, HashAlgorithmName.SHA256);
        var serial = RandomNumberGenerator.GetBytes(8);
        serial[0] &= 0x7F;
        var until = DateTimeOffset.UtcNow.AddDays(days);
        using var issued = request.Create(_authority, DateTimeOffset.UtcNow.AddHours(-1), until, serial);
        Write(name, issued, key);
    }

    /// <summary>Makes one with a key of RSA, which the authority signs.</summary>
    /// <param name="name">What its files are called.</param>
    public void IssueRsa(string name)
    {
        using var key = RSA.Create(2048);
        var request = new CertificateRequest($"CN={name}", key, HashAlgorithmName.SHA256, RSASignaturePadding.Pkcs1);
        using var signer = _authority.GetECDsaPrivateKey()!;
        using var issued = request.Create(
            _authority.SubjectName, X509SignatureGenerator.CreateForECDsa(signer), DateTimeOffset.UtcNow.AddHours(-1),
            DateTimeOffset.UtcNow.AddDays(90), [1, 2, 3]);
        File.WriteAllText(Certificate(name), issued.ExportCertificatePem());
        File.WriteAllText(Key(name), key.ExportPkcs8PrivateKeyPem());
    }

    /// <summary>Encrypts the key of one by a password.</summary>
    public void Encrypt(string name, string password)
    {
        using var key = ECDsa.Create();
        key.ImportFromPem(File.ReadAllText(Key(name)));
        var how = new PbeParameters(PbeEncryptionAlgorithm.Aes256Cbc, HashAlgorithmName.SHA256, 1000);
        File.WriteAllText(Key(name), key.ExportEncryptedPkcs8PrivateKeyPem(password, how));
    }

    /// <inheritdoc/>
    public void Dispose()
    {
        _authority.Dispose();
        Directory.Delete(Folder, recursive: true);
    }

    private void Write(string name, X509Certificate2 certificate, ECDsa key)
    {
        File.WriteAllText(Certificate(name), certificate.ExportCertificatePem());
        File.WriteAllText(Key(name), key.ExportPkcs8PrivateKeyPem());
    }
}
