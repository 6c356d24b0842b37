// The map of shards: a row for each, of cells that stand for equally many bytes of its pages.
const ROW = 15;
const LABEL = 26;
const MARK = 12;
const STATES = [
  { part: "live", name: "live, in memory", color: "c1" },
  { part: "dead", name: "dead, to be compacted", color: "c2" },
  { part: "rest", name: "free room", tierName: "on disk, too, or free", color: "c5" },
  { part: "retired", name: "emptied", color: "c7" },
  { part: "disk", name: "on disk alone", color: "c4", isTier: true },
];

class ShardMap {
  constructor() {
    this.canvas = element("canvas", { tabindex: "0", role: "img" });
    this.legend = element("ul", { class: "legend" });
    this.said = element("p", { class: "quiet" }, " ");
    this.panel = panelOf("Shards and their pages", "", this.canvas, this.legend, this.said);
    this.chosen = -1;
    this.shards = [];
    const choose = shard => { this.chosen = shard; this.tell(); };
    this.canvas.addEventListener("pointermove", event => choose(this.shardAt(event)));
    this.canvas.addEventListener("pointerdown", event => choose(this.shardAt(event)));
    this.canvas.addEventListener("pointerleave", () => choose(-1));
    this.canvas.addEventListener("keydown", event => {
      const step = { ArrowUp: -1, ArrowDown: 1 }[event.key];
      if (step && this.shards.length) {
        event.preventDefault();
        choose((this.chosen + step + this.shards.length) % this.shards.length);
      }
    });
  }

  update(now, before) {
    const isNext = before && before.run === now.run;
    this.isTier = now.figures.tier_cold_pages !== undefined;
    this.shards = partsOf(now).map((shard, i) => ({
      ...shard,
      isCompacting: isNext && now.parts.shard_compacted_bytes[i] > before.parts.shard_compacted_bytes[i],
    }));
  }

  shardAt(event) {
    const box = this.canvas.getBoundingClientRect();
    const column = Math.floor((event.clientX - box.left) / this.columnWidth);
    const row = Math.floor((event.clientY - box.top) / ROW);
    const shard = column * this.rows + row;
    return row >= 0 && row < this.rows && shard < this.shards.length ? shard : -1;
  }

  draw(colors) {
    if (!this.shards.length) {
      return;
    }
    const width = this.canvas.clientWidth;
    const columns = Math.min(Math.ceil(this.shards.length / 14), Math.max(1, Math.floor(width / 90)));
    this.rows = Math.ceil(this.shards.length / columns);
    this.columnWidth = width / columns;
    const height = this.rows * ROW;
    const ratio = window.devicePixelRatio || 1;
    if (this.canvas.width !== Math.round(width * ratio) || this.canvas.height !== Math.round(height * ratio)) {
      this.canvas.width = Math.round(width * ratio);
      this.canvas.height = Math.round(height * ratio);
      this.canvas.style.height = height + "px";
    }
    const context = this.canvas.getContext("2d");
    context.setTransform(ratio, 0, 0, ratio, 0, 0);
    context.clearRect(0, 0, width, height);
    const cells = Math.max(4, Math.floor((this.columnWidth - LABEL - MARK - 8) / 8));
    const most = Math.max(...this.shards.map(shard => shard.total));
    const power = 2 ** Math.floor(Math.log2(Math.max(4096, most / cells)));
    const cellBytes = power * [1, 1.25, 1.5, 1.75, 2].find(times => times * power >= Math.min(most / cells, 2 * power));
    this.shards.forEach((shard, i) => this.drawRow(context, shard, i, cellBytes, cells, colors));
    this.explain(cellBytes, colors);
    this.tell();
  }

  drawRow(context, shard, i, cellBytes, cells, colors) {
    const left = Math.floor(i / this.rows) * this.columnWidth;
    const y = i % this.rows * ROW;
    context.font = '11px system-ui, "Segoe UI", Roboto, "DejaVu Sans", sans-serif';
    context.textAlign = "right";
    context.textBaseline = "middle";
    context.fillStyle = i === this.chosen ? colors.ink : colors.soft;
    context.fillText(String(i), left + LABEL - 8, y + ROW / 2);
    let cell = 0;
    for (const state of STATES) {
      const bytes = shard[state.part];
      const wanted = Math.round(bytes / cellBytes) || (bytes > cellBytes / 16 ? 1 : 0);
      for (let n = 0; n < wanted && cell < cells + 4; n++, cell++) {
        const x = left + LABEL + cell * 8;
        drawCell(context, state, colors, x, y + 2, 7, ROW - 4);
      }
    }
    if (shard.isCompacting) {
      context.fillStyle = colors.c6;
      context.beginPath();
      const x = left + LABEL + cell * 8 + 5;
      context.moveTo(x, y + 3);
      context.lineTo(x + 4, y + ROW / 2);
      context.lineTo(x, y + ROW - 3);
      context.lineTo(x - 4, y + ROW / 2);
      context.fill();
    }
  }

  explain(cellBytes, colors) {
    setText(this.panel.querySelector(".unit"), "a cell is " + text("bytes", cellBytes));
    const theme = colors.c1 + this.isTier + (window.devicePixelRatio || 1);
    if (this.legend.dataset.theme !== theme) {
      this.legend.dataset.theme = theme;
      this.legend.replaceChildren(...STATES.filter(state => this.isTier || !state.isTier).map(state => {
        const key = element("canvas", { class: "key", "aria-hidden": "true" });
        drawCell(keyContext(key), state, colors, 3, 0, 7, 10);
        return element("li", {}, key, this.nameOf(state));
      }), element("li", {}, "◆ being compacted"));
    }
  }

  nameOf(state) {
    return this.isTier && state.tierName || state.name;
  }

  tell() {
    const shard = this.shards[this.chosen];
    const parts = STATES.filter(state => this.isTier || !state.isTier);
    const said = shard
      ? "Shard " + this.chosen + ": " + whole(shard.keys) + " keys; "
        + parts.map(state => `${text("bytes", shard[state.part])} ${this.nameOf(state)}`).join(", ")
        + (shard.isCompacting ? "; being compacted" : "")
      : this.shards.length + " shards, " + this.shards.filter(one => one.isCompacting).length + " being compacted";
    setText(this.said, said);
    this.canvas.setAttribute("aria-label", said);
  }
}

// What is not in memory is a frame, for those who tell its colour badly.
function drawCell(context, state, colors, x, y, width, height) {
  if (state.part === "disk") {
    context.strokeStyle = colors[state.color];
    context.lineWidth = 1.5;
    context.strokeRect(x + 0.75, y + 0.75, width - 1.5, height - 1.5);
  } else {
    context.fillStyle = colors[state.color];
    context.fillRect(x, y, width, height);
  }
}

// What each shard's pages hold, in bytes. How many pages are on the disk alone is known of all shards together; of each
// it follows from its pages and their memory, and is exact where no value has pages of its own.
function partsOf(now) {
  const { figures, parts } = now;
  const cold = parts.shard_pages.map((pages, i) =>
    Math.max(0, pages - Math.round(parts.shard_page_bytes[i] / parts.shard_page_size_bytes[i])));
  const allCold = cold.reduce((sum, pages) => sum + pages, 0);
  const onDisk = figures.tier_cold_pages > 0
    ? Math.max(0, figures.tier_used_bytes - figures.tier_clean_bytes) / Math.max(1, allCold) : 0;
  return parts.shard_pages.map((_, i) => {
    const shard = {
      keys: parts.shard_keys[i],
      live: parts.shard_live_bytes[i],
      dead: parts.shard_garbage_bytes[i],
      rest: Math.max(0, parts.shard_page_bytes[i] - parts.shard_live_bytes[i] - parts.shard_garbage_bytes[i]),
      retired: parts.shard_retired_bytes[i],
      disk: cold[i] * onDisk,
    };
    shard.total = shard.live + shard.dead + shard.rest + shard.retired + shard.disk;
    return shard;
  });
}
