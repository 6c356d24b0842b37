# Runs one scenario of a program: ruby PROGRAM PORT SCENARIO. It fails by an exception. "list" as the only argument
# prints the scenarios' names.

# Runs the scenario that the command line names, of blocks that take the server's port.
def run(scenarios)
  if ARGV[0] == "list"
    puts scenarios.keys
  else
    scenarios.fetch(ARGV[1].to_sym).call
  end
end

# Asks until the answer is yes; the test that started the process sets the limit.
def wait_until
  sleep 0.02 until yield
end

def assert_equal(expected, found)
  raise "expected #{expected.inspect}, found #{found.inspect}", cause: nil unless expected == found
end

# A process beside this one, which is killed when the block ends. The block gets its id, and may end it itself.
def running(*command)
  pid = Process.spawn(*command)
  yield pid
ensure
  kill(pid) if pid
end

def kill(pid)
  return unless Process.wait(pid, Process::WNOHANG).nil?

  Process.kill(:KILL, pid)
  Process.wait(pid)
rescue Errno::ECHILD
  # The block has waited for its end.
end
