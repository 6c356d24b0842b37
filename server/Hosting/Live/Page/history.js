// The last ten minutes: a ring of samples, an array for each figure, made once. What it holds does not grow.
const CAPACITY = 620;

class Samples {
  constructor(names) {
    this.count = 0;
    this.times = new Float64Array(CAPACITY);
    this.columns = new Map(names.map(name => [name, new Float64Array(CAPACITY)]));
  }

  get length() {
    return Math.min(this.count, CAPACITY);
  }

  // The place of the sample that is so many back; 0 is the newest.
  place(back) {
    return (this.count - 1 - back + CAPACITY) % CAPACITY;
  }

  get newest() {
    return this.count ? this.times[this.place(0)] : NaN;
  }

  add(time, sample) {
    this.count++;
    const place = this.place(0);
    this.times[place] = time;
    for (const [name, column] of this.columns) {
      const value = sample[name];
      column[place] = value === undefined || value === null ? NaN : value;
    }
  }

  value(name, back) {
    return back < this.length ? this.columns.get(name)[this.place(back)] : NaN;
  }

  time(back) {
    return this.times[this.place(back)];
  }

  // How many samples back the one next to a time is.
  nearest(time) {
    let low = 0;
    let high = this.length - 1;
    while (low < high) {
      const middle = (low + high) >> 1;
      if (this.time(middle) > time) {
        low = middle + 1;
      } else {
        high = middle;
      }
    }
    return low > 0 && Math.abs(this.time(low - 1) - time) < Math.abs(this.time(low) - time) ? low - 1 : low;
  }

  copy() {
    const copy = new Samples([]);
    copy.count = this.count;
    copy.times = this.times.slice();
    copy.columns = new Map([...this.columns].map(([name, column]) => [name, column.slice()]));
    return copy;
  }
}

// What one look at the server says, as figures of the page. Rates come from two looks; the first gives none.
function sampleOf(now, before) {
  const figures = now.figures;
  const sample = { ...figures };
  const seconds = before && before.run === now.run ? now.clock - before.clock : 0;
  const rate = name => seconds > 0 ? (figures[name] - before.figures[name]) / seconds : NaN;
  sample.ops = rate("commands_processed");
  sample.hits = rate("keyspace_hits");
  sample.misses = rate("keyspace_misses");
  const reads = sample.hits + sample.misses;
  sample.hitRatio = reads > 0 ? 100 * sample.hits / reads : NaN;
  sample.evicted = rate("evicted_keys");
  sample.expired = rate("expired_keys");
  sample.errors = rate("error_replies");
  sample.received = rate("net_input_bytes");
  sample.sent = rate("net_output_bytes");
  sample.user = 100 * rate("cpu_user_seconds");
  sample.system = 100 * rate("cpu_sys_seconds");
  sample.p50 = now.latency.p50;
  sample.p99 = now.latency.p99;
  sample.p999 = now.latency.p999;
  const { read, write, sync } = now.disk;
  [sample.readP50, sample.readP99] = [read?.p50, read?.p99];
  sample.writeP99 = write?.p99;
  sample.syncP99 = sync?.p99;
  memoryOf(figures, sample);
  if (figures.tier_reads !== undefined) {
    sample.diskReads = rate("tier_reads");
    sample.diskWritten = rate("tier_written_bytes");
    sample.diskSwept = rate("tier_swept_pages");
    sample.diskUsed = figures.tier_used_bytes;
  }
  return sample;
}

// Parts that add up to what counts against maxmemory.
function memoryOf(figures, sample) {
  sample.memLive = figures.memory_log_live_bytes;
  sample.memDead = figures.memory_log_garbage_bytes + figures.memory_log_retired_bytes;
  sample.memRoom = Math.max(0,
    figures.memory_log_page_bytes - figures.memory_log_live_bytes - figures.memory_log_garbage_bytes);
  sample.memHeap = figures.memory_heap_bytes;
  sample.memIndex = figures.memory_index_bytes;
  sample.memOther = Math.max(0, figures.memory_used_bytes - figures.memory_log_page_bytes
    - figures.memory_log_retired_bytes - figures.memory_heap_bytes - figures.memory_index_bytes);
}
