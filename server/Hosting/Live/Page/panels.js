// What the page shows. A chart more is an entry more here: its figures are those of /metrics without the prefix, or
// what sampleOf makes of them. "when" leaves out what a server does not have.
const PANELS = [
  {
    title: "Operations", unit: "commands a second", format: "count",
    series: [
      { figure: "ops", name: "executed", color: "c1", fill: true },
      { figure: "errors", name: "error replies", color: "c2", dash: [5, 3] },
    ],
  },
  {
    title: "Latency", unit: "in the server, log scale", format: "micros", logarithmic: true,
    series: [
      { figure: "p50", name: "p50", color: "c1", help: "Half of the calls took no longer." },
      { figure: "p99", name: "p99", color: "c6", width: 2.25, help: "One of 100 took longer." },
      { figure: "p999", name: "p99.9", color: "c2", dash: [5, 3], help: "One of 1,000 took longer." },
    ],
  },
  {
    title: "Hit ratio", unit: "reads that found their key", format: "percent", atLeast: 100, atMost: 100,
    series: [{ figure: "hitRatio", name: "hits", color: "c3", fill: true }],
  },
  {
    title: "Memory by part", unit: "what counts in maxmemory", format: "bytes", stacked: true,
    limit: "memory_max_bytes", limitName: "maxmemory",
    series: [
      { figure: "memLive", name: "live records", color: "c1" },
      {
        figure: "memRoom", name: "rest of their pages", color: "c5",
        help: "Room for more; with a tier also pages that are on the disk, too.",
      },
      {
        figure: "memDead", name: "dead", color: "c2",
        help: "Dead records, slack, and emptied pages that are still read.",
      },
      { figure: "memHeap", name: "large collections", color: "c3" },
      { figure: "memIndex", name: "index", color: "c6" },
      { figure: "memOther", name: "clients and other", color: "c7" },
    ],
  },
  {
    title: "Keys that go", unit: "keys a second", format: "count",
    series: [
      { figure: "expired", name: "expired", color: "c1" },
      { figure: "evicted", name: "evicted", color: "c2", dash: [5, 3] },
    ],
  },
  {
    title: "Network", unit: "bytes a second", format: "rate",
    series: [
      { figure: "received", name: "received", color: "c1" },
      { figure: "sent", name: "sent", color: "c3", dash: [5, 3] },
    ],
  },
  {
    title: "Clients", unit: "connections", format: "count", atLeast: 4,
    series: [
      { figure: "connected_clients", name: "connected", color: "c1", fill: true },
      {
        figure: "blocked_clients", name: "waiting", color: "c2", dash: [5, 3],
        help: "In a command that waits, or for the end of CLIENT PAUSE.",
      },
      { figure: "pubsub_clients", name: "subscribed", color: "c3", dash: [2, 2] },
    ],
  },
  {
    title: "CPU", unit: "100 % is one core", format: "percent", atLeast: 100, stacked: true,
    series: [
      { figure: "user", name: "server", color: "c1" },
      { figure: "system", name: "kernel", color: "c5" },
    ],
  },
  {
    title: "Disk: requests", unit: "a second", format: "count", when: hasTier,
    series: [
      { figure: "diskReads", name: "records read", color: "c1" },
      { figure: "diskSwept", name: "pages compacted", color: "c6", dash: [5, 3] },
      { figure: "tier_requests_in_flight", name: "under way", color: "c2", dash: [2, 2] },
    ],
  },
  {
    title: "Disk: written", unit: "bytes a second", format: "rate", when: hasTier,
    series: [{ figure: "diskWritten", name: "written", color: "c3", fill: true }],
  },
  {
    title: "Disk: latency", unit: "of requests and syncs, log scale", format: "micros", logarithmic: true,
    when: figures => hasTier(figures) || hasJournal(figures),
    series: [
      { figure: "readP50", name: "read p50", color: "c1", when: hasTier, help: "Half of the reads took no longer." },
      {
        figure: "readP99", name: "read p99", color: "c6", width: 2.25, when: hasTier,
        help: "One read of 100 took longer.",
      },
      {
        figure: "writeP99", name: "write p99", color: "c3", dash: [2, 2], when: hasTier,
        help: "One write of 100 took longer.",
      },
      {
        figure: "syncP99", name: "fsync p99", color: "c2", dash: [5, 3], when: hasJournal,
        help: "One of 100 of the journal's syncs took longer.",
      },
    ],
  },
];

function hasTier(figures) {
  return figures.tier_reads !== undefined;
}

function hasJournal(figures) {
  return figures.aof_enabled === 1;
}

// The panels that a server has, with what it has of their series.
function panelsFor(figures) {
  const has = part => !part.when || part.when(figures);
  return PANELS.filter(has).map(panel => ({ ...panel, series: panel.series.filter(has) }));
}

// The figures of the ring: what charts draw.
const FIGURES = [...new Set(PANELS.flatMap(panel =>
  [...panel.series.map(series => series.figure), ...panel.limit ? [panel.limit] : []]))];

// Large figures, of the newest look: [name, value with unit, note].
const TILES = [
  (now, sample) => ["Operations", "count", sample.ops, "/s", whole(now.figures.commands_processed) + " in all"],
  (now, sample) => ["Latency p99", "micros", sample.p99, "",
    `p50 ${text("micros", sample.p50)}, p99.9 ${text("micros", sample.p999)}`],
  (now, sample) => ["Hit ratio", "percent", sample.hitRatio, "",
    `${text("count", sample.hits)} hits, ${text("count", sample.misses)} misses/s`],
  ({ figures }) => ["Memory", "bytes", figures.memory_used_bytes, "",
    figures.memory_max_bytes > 0
      ? `${text("percent", 100 * figures.memory_used_bytes / figures.memory_max_bytes)} of `
        + text("bytes", figures.memory_max_bytes)
      : `no limit; process ${text("bytes", figures.memory_used_rss_bytes)}`],
  ({ figures, parts }) => ["Keys", "count", sum(parts.shard_keys), "",
    figures.tier_used_bytes === undefined ? whole(sum(parts.shard_keys)) + " in all"
      : text("bytes", figures.tier_used_bytes) + " on disk"],
  ({ figures }) => ["Clients", "count", figures.connected_clients, "",
    `${whole(figures.blocked_clients)} waiting, max ${whole(figures.max_clients)}`],
];

function sum(values) {
  return values.reduce((all, value) => all + value, 0);
}

class Tiles {
  constructor(place) {
    this.cells = TILES.map(() => {
      const [name, note] = [element("p", { class: "name" }), element("p", { class: "note" })];
      const [value, unit] = [element("span"), element("small")];
      const cell = { name, value, unit, note };
      place.append(element("div", { class: "tile" }, name, element("p", { class: "value" }, value, unit), note));
      return cell;
    });
  }

  update(now, sample) {
    TILES.forEach((tile, i) => {
      const [name, format, value, unit, note] = tile(now, sample);
      const [number, scale] = Number.isFinite(value) ? split[format](value) : [DASH, ""];
      const cell = this.cells[i];
      setText(cell.name, name);
      setText(cell.value, number);
      setText(cell.unit, scale + (Number.isFinite(value) ? unit : ""));
      setText(cell.note, note);
    });
  }
}

// A table whose rows are written over, not made anew.
class Table {
  constructor(title, unit, heads, nothing) {
    this.body = element("tbody");
    this.nothing = element("p", { class: "none" }, nothing);
    const head = element("thead", {}, element("tr", {}, ...heads.map(name => element("th", { scope: "col" }, name))));
    this.table = element("div", { class: "table" }, element("table", {}, head, this.body));
    this.panel = panelOf(title, unit, this.table, this.nothing);
  }

  update(rows) {
    this.table.hidden = rows.length === 0;
    this.nothing.hidden = rows.length > 0;
    while (this.body.rows.length > rows.length) {
      this.body.deleteRow(-1);
    }
    rows.forEach((cells, at) => {
      const row = this.body.rows[at] || this.body.insertRow();
      cells.forEach((cell, column) => {
        const place = row.cells[column] || row.insertCell();
        if (typeof cell === "string") {
          setText(place, cell);
        } else {
          this.share(place, cell);
        }
      });
    });
  }

  share(place, part) {
    const bar = place.querySelector("i")
      || place.appendChild(element("span", { class: "share" }, element("i"))).firstChild;
    bar.style.width = Math.round(100 * part) + "%";
    place.setAttribute("aria-label", Math.round(100 * part) + " %");
  }
}

function commandRows(now) {
  const most = Math.max(1, ...now.commands.map(command => command.microseconds));
  return now.commands.map(command => [
    command.name, text("count", command.calls / now.seconds), text("micros", command.microseconds / command.calls),
    text("micros", command.p99), command.microseconds / most,
  ]);
}

function slowRows(now) {
  return now.slow.map(entry => [entry.verb, text("micros", entry.microseconds), clockTime(entry.at), "#" + entry.id]);
}

function curveRows(now) {
  return now.curve.map(point => [
    text("bytes", point.bytes), "× " + point.factor,
    text("percent", 100 * point.hour) + " ± " + text("percent", 100 * point.error), text("percent", 100 * point.day),
    point.hour,
  ]);
}
