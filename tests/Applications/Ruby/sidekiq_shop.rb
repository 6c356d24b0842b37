# A shop whose orders Sidekiq's workers carry out: sidekiq_jobs.rb.
require_relative "scenarios"

# The jobs look for it when they are loaded; to list the scenarios takes no server.
ENV["STRATA_TEST_PORT"] = ARGV[0] == "list" ? "0" : ARGV[0]
require_relative "sidekiq_jobs"
require "sidekiq/api"

HOUR = 3600

# Starts that many of Sidekiq's processes and waits until all have said that they are there.
def workers(count, *options, &block)
  return block.call([]) if count.zero?

  workers(count - 1, *options) do |others|
    running("sidekiq", "-r", File.join(__dir__, "sidekiq_jobs.rb"), "-c", "3", *options) do |pid|
      wait_until { Sidekiq::ProcessSet.new(false).any? { |process| process["pid"] == pid } }
      block.call([*others, pid])
    end
  end
end

def counts(orders)
  notes { |redis| redis.mget(orders.map { |order| "ran:#{order}" }) }.map(&:to_i)
end

def noted
  notes { |redis| redis.lrange("notes", 0, -1) }.map { |line| JSON.parse(line) }
end

def jobs_run_once
  100.times { |order| Ship.perform_async(order, 2) }
  Sidekiq::Client.push_bulk("class" => Ship, "args" => (100...200).map { |order| [order, 2] })
  workers(2) do
    wait_until { Sidekiq::Stats.new.then { |stats| stats.processed == 200 && stats.enqueued.zero? } }
    assert_equal [1] * 200, counts(0...200)
    assert_equal 0, Sidekiq::Stats.new.failed
  end
end

# Two processes look for what is due, and one of them finds it.
def scheduled
  began = Time.now.to_f
  50.times { |i| Note.perform_in(1 + i / 100.0, "soon #{i}") }
  late = Note.perform_in(HOUR, "late")
  deleted = Note.perform_at(Time.now + HOUR, "deleted")
  assert_equal 52, Sidekiq::ScheduledSet.new.size
  Sidekiq::ScheduledSet.new.find_job(deleted).delete
  workers(2) do
    wait_until { noted.size >= 50 }
    assert_equal (0...50).map { |i| "soon #{i}" }.sort, noted.map(&:first).sort
    noted.each { |text, at| raise "#{text} came early" if at < began + 1 + text[/\d+/].to_i / 100.0 }
    assert_equal [late], Sidekiq::ScheduledSet.new.map(&:jid)
  end
end

def retried
  shaky = Shaky.perform_async("shaky")
  workers(1) do
    2.times do |round|
      wait_until { Sidekiq::RetrySet.new.find_job(shaky)&.[]("retry_count") == round }
      failed = Sidekiq::RetrySet.new.find_job(shaky)
      assert_equal "not yet", failed["error_message"]
      failed.reschedule(Time.now) # sooner than in half a minute
    end
    wait_until { counts(["shaky"]) == [3] && Sidekiq::RetrySet.new.size.zero? }
    wait_until { Sidekiq::Stats.new.processed == 3 }
    assert_equal 2, Sidekiq::Stats.new.failed
  end
end

def dead
  closed = Closed.perform_async("closed")
  workers(1) do
    wait_until { Sidekiq::DeadSet.new.size == 1 }
    assert_equal [closed], Sidekiq::DeadSet.new.map(&:jid)
    assert_equal "closed", notes { |redis| redis.get("exhausted:#{closed}") }
    notes { |redis| redis.set("open", 1) }
    Sidekiq::DeadSet.new.first.retry
    wait_until { Sidekiq::Stats.new.processed == 2 }
    assert_equal 0, Sidekiq::DeadSet.new.size
    assert_equal [2], counts(["closed"])
  end
end

# A worker that ends hands back what it doesn't finish in time, and another one carries it out. It has one thread: an
# idle one could still take the job as it is handed back.
def given_back
  Hold.perform_async("held")
  workers(1, "-c", "1", "-t", "1") do |(first)|
    wait_until { counts(["held"]) == [1] }
    Process.kill(:TERM, first)
    Process.wait(first)
    assert_equal 1, Sidekiq::Queue.new.size
  end
  notes { |redis| redis.set("gate", "open") }
  workers(1) { wait_until { notes { |redis| redis.get("done:held") } == "1" } }
  assert_equal [2], counts(["held"])
end

def queues_and_administration
  low = Note.set(queue: "low").perform_async("low")
  Note.set(queue: "high").perform_async("high")
  gone = Note.set(queue: "low").perform_async("gone")
  assert_equal %w[high low], Sidekiq::Queue.all.map(&:name).sort
  assert_equal [gone, low], Sidekiq::Queue.new("low").map(&:jid)
  Sidekiq::Queue.new("low").find_job(gone).delete
  workers(1, "-c", "1", "-q", "high", "-q", "low") { wait_until { noted.size == 2 } }
  assert_equal %w[high low], noted.map(&:first)
  100.times { Note.perform_async("cleared") }
  assert_equal 100, Sidekiq::Queue.new.size
  Sidekiq::Queue.new.clear
  assert_equal 0, Sidekiq::Stats.new.enqueued
end

run({
  jobs_run_once: method(:jobs_run_once),
  scheduled: method(:scheduled),
  retried: method(:retried),
  dead: method(:dead),
  given_back: method(:given_back),
  queues_and_administration: method(:queues_and_administration),
})
