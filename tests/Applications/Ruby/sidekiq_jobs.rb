# What a shop has Sidekiq's workers do. sidekiq_shop.rb and the workers load it; the environment tells the port.
require "sidekiq"
require_relative "scenarios"

PORT = ENV.fetch("STRATA_TEST_PORT")
NOTES = ConnectionPool.new(size: 10) { Redis.new(url: "redis://127.0.0.1:#{PORT}/2") }

Sidekiq.configure_client { |config| config.redis = { url: "redis://127.0.0.1:#{PORT}/0" } }
Sidekiq.configure_server { |config| config.redis = { url: "redis://127.0.0.1:#{PORT}/0" } }
Sidekiq.options[:poll_interval_average] = 0.2 # seconds: how often a process looks for what is due

def notes(&block) = NOTES.with(&block)

# Counts how often the order was carried out, and waits until that many processes have one.
class Ship
  include Sidekiq::Job

  def perform(order, processes)
    notes { |redis| redis.multi { |all| all.incr("ran:#{order}"); all.sadd("processes", Process.pid) } }
    wait_until { notes { |redis| redis.scard("processes") } >= processes }
  end
end

class Note
  include Sidekiq::Job

  def perform(text)
    notes { |redis| redis.rpush("notes", [text, Time.now.to_f].to_json) }
  end
end

class Shaky
  include Sidekiq::Job
  sidekiq_options retry: 5

  def perform(order)
    raise "not yet" if notes { |redis| redis.incr("ran:#{order}") } < 3
  end
end

# Fails until the shop opens; one failure more than none is its last.
class Closed
  include Sidekiq::Job
  sidekiq_options retry: 0
  sidekiq_retries_exhausted { |job, error| notes { |redis| redis.set("exhausted:#{job["jid"]}", error.message) } }

  def perform(order)
    notes { |redis| redis.incr("ran:#{order}") }
    raise "closed" unless notes { |redis| redis.exists?("open") }
  end
end

class Hold
  include Sidekiq::Job

  def perform(order)
    notes { |redis| redis.incr("ran:#{order}") }
    wait_until { notes { |redis| redis.exists?("gate") } }
    notes { |redis| redis.incr("done:#{order}") }
  end
end
