using NUnit.Framework;
using Strata.Tests.Support;

namespace Strata.Tests.Applications;

/// <summary>
/// SignalR with its Redis backplane: two instances of a site, Ann connected to the first, Bob to the second.
/// </summary>
[TestFixtureSource(typeof(ServersToTry), nameof(ServersToTry.Kinds))]
internal sealed class SignalRTests(ServerKind kind) : ApplicationFixture(kind)
{
    private WebInstance _first = null!;
    private WebInstance _second = null!;
    private ChatVisitor _ann = null!;
    private ChatVisitor _bob = null!;

    [OneTimeSetUp]
    public void StartShops()
    {
        _first = WebInstance.Start(Server, WebInstance.Net10);
        _second = WebInstance.Start(Server, WebInstance.Net10);
    }

    [OneTimeTearDown]
    public void StopShops()
    {
        _first?.Dispose();
        _second?.Dispose();
    }

    [SetUp]
    public async Task Enter()
    {
        _ann = await ChatVisitor.ConnectAsync(_first, "Ann");
        _bob = await ChatVisitor.ConnectAsync(_second, "Bob");
    }

    [TearDown]
    public async Task Leave()
    {
        await _ann.DisposeAsync();
        await _bob.DisposeAsync();
    }

    [Test]
    public async Task A_message_to_all_reaches_those_on_the_other_instance()
    {
        await _ann.CallAsync("SendToAll", "hello");

        Assert.That(await _ann.HearAsync(), Is.EqualTo("hello"));
        Assert.That(await _bob.HearAsync(), Is.EqualTo("hello"));
    }

    [Test]
    public async Task A_message_to_the_others_does_not_come_back()
    {
        await _ann.CallAsync("SendToOthers", "for the others");
        Assert.That(await _bob.HearAsync(), Is.EqualTo("for the others"));

        await _bob.CallAsync("SendToAll", "for all");
        Assert.That(await _ann.HearAsync(), Is.EqualTo("for all"));
    }

    [Test]
    public async Task A_message_to_a_group_reaches_its_members_alone()
    {
        await _bob.CallAsync("Join", "kitchen");
        await _ann.CallAsync("SendToRoom", "kitchen", "soup");
        Assert.That(await _bob.HearAsync(), Is.EqualTo("soup"));

        await _bob.CallAsync("Leave", "kitchen");
        await _ann.CallAsync("SendToRoom", "kitchen", "bread");
        await _ann.CallAsync("SendToAll", "closing");
        Assert.That(await _ann.HearAsync(), Is.EqualTo("closing"));
        Assert.That(await _bob.HearAsync(), Is.EqualTo("closing"));
    }

    [Test]
    public async Task A_message_to_one_connection_finds_it()
    {
        await _ann.CallAsync("SendToOne", _bob.Id, "psst");

        Assert.That(await _bob.HearAsync(), Is.EqualTo("psst"));
    }

    [Test]
    public async Task An_instance_adds_a_connection_of_the_other_to_a_group()
    {
        await _first.AskAsync(HttpMethod.Put, $"/rooms/kitchen/{_bob.Id}");
        await _ann.CallAsync("SendToRoom", "kitchen", "soup");

        Assert.That(await _bob.HearAsync(), Is.EqualTo("soup"));
    }

    [Test]
    public async Task An_instance_gets_the_answer_of_a_connection_of_the_other()
    {
        Assert.That(await _first.AskAsync(HttpMethod.Get, $"/questions/{_bob.Id}/soup"), Is.EqualTo("Bob on soup"));
    }
}
