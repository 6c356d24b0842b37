// The stream of figures, and what the buttons do.
const byId = id => document.getElementById(id);
const COLORS = ["c1", "c2", "c3", "c4", "c5", "c6", "c7", "ink", "soft", "line", "grid", "card"];

const live = { history: new Samples(FIGURES), now: null, before: null };
const view = {
  history: live.history, now: null, before: null, span: 300000, hover: NaN, isPaused: false,
  get end() { return this.history.newest; },
  get start() { return this.end - this.span; },
  hoverAt(time) {
    if (!Object.is(this.hover, time)) {
      this.hover = time;
      redraw();
    }
  },
};

const tiles = new Tiles(byId("tiles"));
const map = new ShardMap();
const commands = new Table("Commands by time taken", "last second",
  ["command", "calls/s", "mean", "p99", "share of time"], "No command in the last second.");
const slow = new Table("Slow commands", "slowlog-log-slower-than",
  ["command", "took", "at", "SLOWLOG"], "None was slow enough for the slow log.");
const costs = new Costs();
const reports = [new HotKeys(), new Prefixes(), costs];
const curve = new Table("Hits with other memory", "simulated, last hour and day",
  ["memory", "times", "hits, hour", "hits, day", ""], "Nothing was read in the last hour.");
let charts = null;
let colors = {};
let shownSeries = 0;
let isDrawingDue = false;
let lastAt = 0;

function readColors() {
  const style = getComputedStyle(document.documentElement);
  colors = Object.fromEntries(COLORS.map(name => [name, style.getPropertyValue("--" + name).trim()]));
}

// Draws once before the next frame, however much has changed, and not at all where nobody looks.
function redraw() {
  if (!isDrawingDue && !document.hidden) {
    isDrawingDue = true;
    requestAnimationFrame(() => {
      isDrawingDue = false;
      if (charts && view.history.length) {
        charts.forEach(chart => chart.draw(colors));
        map.draw(colors);
      }
    });
  }
}

function makePanels(figures) {
  charts = panelsFor(figures).map(panel => new Chart(panel, view));
  shownSeries = seriesOf(figures);
  map.panel.classList.add("map");
  // So that three columns come out even.
  costs.panel.classList.toggle("broad", charts.length % 3 === 0);
  costs.panel.classList.toggle("whole", charts.length % 3 !== 0);
  byId("panels").replaceChildren(...charts.map(chart => chart.panel), map.panel, commands.panel, slow.panel,
    ...reports.filter(report => report !== costs).map(report => report.panel), curve.panel, costs.panel);
}

// How many series there are: appendonly may come and go.
function seriesOf(figures) {
  return sum(panelsFor(figures).map(panel => panel.series.length));
}

function take(now) {
  if (live.now && now.run === live.now.run && now.clock <= live.now.clock) {
    return; // Seen before the connection was lost.
  }
  if (live.now && now.at <= live.history.newest) {
    live.history.count = 0; // The machine's clock was set back.
  }
  if (!charts || live.now && live.now.run !== now.run || seriesOf(now.figures) !== shownSeries) {
    makePanels(now.figures);
  }
  [live.before, live.now] = [live.now, now];
  live.history.add(now.at, sampleOf(now, live.before));
  lastAt = performance.now();
  if (!view.isPaused) {
    follow();
  }
}

// Shows what is newest.
function follow() {
  [view.history, view.now, view.before] = [live.history, live.now, live.before];
  if (!view.now) {
    return;
  }
  const { now } = view;
  tiles.update(now, sampleOf(now, view.before));
  map.update(now, view.before);
  commands.update(commandRows(now));
  slow.update(slowRows(now));
  curve.update(curveRows(now));
  showFindings(now.findings);
  setText(byId("uptime"), "up " + duration(now.figures.uptime_in_seconds));
  redraw();
}

function showFindings(findings) {
  const place = byId("findings");
  const said = findings.join("\n");
  if (place.dataset.said !== said || !place.firstChild) {
    place.dataset.said = said;
    place.replaceChildren(findings.length
      ? element("ul", {}, ...findings.map(finding => element("li", {}, finding)))
      : element("p", { class: "well" }, "✓ Nothing is wrong: memory, latency and the disk are well."));
  }
}

function showState() {
  const isLost = performance.now() - lastAt > 3500;
  const [is, said] = view.isPaused ? ["paused", "paused"] : lastAt === 0 ? ["", "connecting"]
    : isLost ? ["lost", "not connected, tries again"] : ["live", "live"];
  byId("state").dataset.is = is;
  setText(byId("stateText"), said);
}

function connect() {
  const stream = new EventSource("live");
  stream.onmessage = event => {
    take(JSON.parse(event.data));
    showState();
  };
  stream.onerror = () => {
    showState();
    if (stream.readyState === EventSource.CLOSED) {
      setTimeout(connect, 3000); // It was refused: too many pages are open, or the server is not there.
    }
  };
}

function setTheme(theme) {
  document.documentElement.dataset.theme = theme;
  setText(byId("theme"), theme === "dark" ? "Light" : "Dark");
  readColors();
  redraw();
}

function start() {
  const dark = matchMedia("(prefers-color-scheme: dark)");
  let chosen = null;
  setTheme(dark.matches ? "dark" : "light");
  dark.addEventListener("change", () => chosen || setTheme(dark.matches ? "dark" : "light"));
  byId("theme").addEventListener("click", () => {
    chosen = document.documentElement.dataset.theme === "dark" ? "light" : "dark";
    setTheme(chosen);
  });
  byId("pause").addEventListener("click", () => {
    view.isPaused = !view.isPaused;
    byId("pause").setAttribute("aria-pressed", view.isPaused);
    setText(byId("pause"), view.isPaused ? "Go on" : "Pause");
    if (view.isPaused) {
      view.history = live.history.copy(); // What is looked at stays, while the ring goes on.
      redraw();
    } else {
      follow();
    }
    showState();
  });
  for (const button of document.querySelectorAll("[data-window]")) {
    button.addEventListener("click", () => {
      view.span = button.dataset.window * 1000;
      for (const other of document.querySelectorAll("[data-window]")) {
        other.setAttribute("aria-pressed", other === button);
      }
      redraw();
    });
  }
  new ResizeObserver(redraw).observe(byId("panels"));
  document.addEventListener("visibilitychange", redraw);
  setInterval(showState, 1000);
  setInterval(() => view.isPaused || document.hidden || reports.forEach(report => report.ask()), 2000);
  reports.forEach(report => report.ask());
  connect();
}

start();
