// Charts over time, drawn on a canvas: lines, or areas that are stacked. All share one time axis and one hover.
const HEIGHT = 190;
const PAD = { left: 52, right: 8, top: 8, bottom: 20 };
const NICE = [1, 2, 2.5, 5, 10];
const GAP = 5000; // Samples further apart, milliseconds, are not joined: nobody knows what was between them.

class Chart {
  constructor(options, view) {
    this.options = options;
    this.view = view;
    this.canvas = element("canvas", { tabindex: "0", role: "img", "aria-label": options.title });
    this.canvas.style.height = HEIGHT + "px";
    this.legend = element("ul", { class: "legend" });
    this.values = options.series.map(series => this.addKey(series));
    this.panel = panelOf(options.title, options.unit, this.canvas, this.legend);
    this.width = 0;
    this.listen();
  }

  addKey(series) {
    const key = element("canvas", { class: "key", "aria-hidden": "true" });
    const value = element("b", {}, DASH);
    this.legend.append(element("li", { title: series.help || series.name }, key, series.name, value));
    series.key = key;
    return value;
  }

  listen() {
    const move = event => {
      const x = event.clientX - this.canvas.getBoundingClientRect().left;
      const part = (x - PAD.left) / (this.width - PAD.left - PAD.right);
      this.view.hoverAt(part >= 0 && part <= 1 ? this.view.start + part * this.view.span : NaN);
    };
    this.canvas.addEventListener("pointermove", move);
    this.canvas.addEventListener("pointerdown", move);
    this.canvas.addEventListener("pointerleave", () => this.view.hoverAt(NaN));
    this.canvas.addEventListener("blur", () => this.view.hoverAt(NaN));
    this.canvas.addEventListener("keydown", event => {
      const step = { ArrowLeft: -1000, ArrowRight: 1000, PageUp: -15000, PageDown: 15000 }[event.key];
      if (step !== undefined) {
        event.preventDefault();
        const from = Number.isFinite(this.view.hover) ? this.view.hover : this.view.end;
        this.view.hoverAt(Math.min(this.view.end, Math.max(this.view.start, from + step)));
      } else if (event.key === "Escape") {
        this.view.hoverAt(NaN);
      }
    });
  }

  // Makes the canvas as sharp as the screen; only when its size has changed, or it would flicker.
  fit() {
    const width = this.canvas.clientWidth;
    const ratio = window.devicePixelRatio || 1;
    const pixels = Math.round(width * ratio);
    if (this.canvas.width !== pixels || this.canvas.height !== Math.round(HEIGHT * ratio)) {
      this.canvas.width = pixels;
      this.canvas.height = Math.round(HEIGHT * ratio);
    }
    this.width = width;
    const context = this.canvas.getContext("2d");
    context.setTransform(ratio, 0, 0, ratio, 0, 0);
    context.clearRect(0, 0, width, HEIGHT);
    return context;
  }

  draw(colors) {
    const { history } = this.view;
    const context = this.fit();
    if (this.width <= 0) {
      return;
    }
    const shown = this.samples(history);
    const scale = this.scaleFor(shown);
    drawAxes(context, this, scale, colors);
    context.save();
    context.beginPath();
    context.rect(PAD.left, PAD.top - 1, this.width - PAD.left - PAD.right, HEIGHT - PAD.top - PAD.bottom + 2);
    context.clip();
    if (this.options.stacked) {
      this.drawStack(context, shown, scale, colors);
    } else {
      this.drawLines(context, shown, scale, colors);
    }
    this.drawLimit(context, scale, colors);
    this.drawHover(context, history, scale, colors);
    context.restore();
    this.tell(history, colors);
  }

  // The samples within the time shown, oldest first, each with the values of all series.
  samples(history) {
    const shown = [];
    for (let back = history.length - 1; back >= 0; back--) {
      const time = history.time(back);
      if (time >= this.view.start - 2000 && time <= this.view.end) {
        shown.push({ time, values: this.options.series.map(series => history.value(series.figure, back)) });
      }
    }
    return shown;
  }

  scaleFor(shown) {
    const { options } = this;
    let most = 0;
    let least = Infinity;
    for (const { values } of shown) {
      const sum = options.stacked ? values.reduce((all, value) => all + (value || 0), 0) : 0;
      for (const value of options.stacked ? [sum] : values) {
        if (Number.isFinite(value)) {
          most = Math.max(most, value);
          least = value > 0 ? Math.min(least, value) : least;
        }
      }
    }
    const limit = this.limit();
    most = limit > 0 && most > limit * 0.3 ? Math.max(most, limit) : most;
    return options.logarithmic ? logScale(least, most) : linearScale(most, options);
  }

  limit() {
    return this.options.limit ? this.view.history.value(this.options.limit, 0) : NaN;
  }

  x(time) {
    return PAD.left + (time - this.view.start) / this.view.span * (this.width - PAD.left - PAD.right);
  }

  drawLines(context, shown, scale, colors) {
    this.options.series.forEach((series, i) => {
      context.strokeStyle = colors[series.color];
      context.lineWidth = series.width || 1.75;
      context.lineJoin = "round";
      context.setLineDash(series.dash || []);
      let last = NaN;
      context.beginPath();
      for (const { time, values } of shown) {
        const value = values[i];
        if (Number.isFinite(value)) {
          const [x, y] = [this.x(time), scale.y(value)];
          if (Number.isFinite(last) && time - last < GAP) {
            context.lineTo(x, y);
          } else {
            context.moveTo(x, y);
            context.lineTo(x + 0.5, y);
          }
          last = time;
        } else {
          last = NaN;
        }
      }
      context.stroke();
      context.setLineDash([]);
      if (series.fill) {
        this.fillBelow(context, shown, i, scale, colors[series.color]);
      }
    });
  }

  fillBelow(context, shown, i, scale, color) {
    context.globalAlpha = 0.13;
    context.fillStyle = color;
    const base = scale.y(scale.least);
    context.beginPath();
    let previous = null;
    for (const { time, values } of shown) {
      const here = Number.isFinite(values[i]) ? { x: this.x(time), time } : null;
      if (previous && !(here && time - previous.time < GAP)) {
        context.lineTo(previous.x, base);
        previous = null;
      }
      if (here) {
        if (!previous) {
          context.moveTo(here.x, base);
        }
        context.lineTo(here.x, scale.y(values[i]));
        previous = here;
      }
    }
    if (previous) {
      context.lineTo(previous.x, base);
    }
    context.fill();
    context.globalAlpha = 1;
  }

  drawStack(context, shown, scale, colors) {
    const known = shown.filter(({ values }) => values.every(Number.isFinite));
    const below = known.map(() => 0);
    this.options.series.forEach((series, i) => {
      const tops = known.map(({ values }, at) => below[at] + values[i]);
      context.fillStyle = colors[series.color];
      context.beginPath();
      known.forEach(({ time }, at) => context.lineTo(this.x(time), scale.y(tops[at])));
      for (let at = known.length - 1; at >= 0; at--) {
        context.lineTo(this.x(known[at].time), scale.y(below[at]));
      }
      context.globalAlpha = 0.86;
      context.fill();
      context.globalAlpha = 1;
      context.strokeStyle = colors.card; // A gap between neighbours, for eyes that tell their colours badly.
      context.lineWidth = 1;
      context.beginPath();
      known.forEach(({ time }, at) => context.lineTo(this.x(time), scale.y(tops[at])));
      context.stroke();
      tops.forEach((top, at) => { below[at] = top; });
    });
  }

  drawLimit(context, scale, colors) {
    const limit = this.limit();
    if (limit > 0 && limit <= scale.most) {
      const y = Math.round(scale.y(limit)) + 0.5;
      context.strokeStyle = colors.ink;
      context.setLineDash([5, 4]);
      context.lineWidth = 1;
      context.beginPath();
      context.moveTo(PAD.left, y);
      context.lineTo(this.width, y);
      context.stroke();
      context.setLineDash([]);
      context.fillStyle = colors.ink;
      context.textAlign = "left";
      context.textBaseline = "bottom";
      context.strokeStyle = colors.card; // A rim, for it may stand on the areas.
      context.lineWidth = 4;
      context.strokeText(this.options.limitName, PAD.left + 6, y - 3);
      context.fillText(this.options.limitName, PAD.left + 6, y - 3);
    }
  }

  drawHover(context, history, scale, colors) {
    if (!Number.isFinite(this.view.hover) || history.length === 0) {
      return;
    }
    const back = history.nearest(this.view.hover);
    const x = Math.round(this.x(history.time(back))) + 0.5;
    context.strokeStyle = colors.soft;
    context.lineWidth = 1;
    context.beginPath();
    context.moveTo(x, PAD.top);
    context.lineTo(x, HEIGHT - PAD.bottom);
    context.stroke();
    let below = 0;
    for (const series of this.options.series) {
      const value = history.value(series.figure, back);
      below = this.options.stacked ? below + value : value;
      if (Number.isFinite(value)) {
        context.fillStyle = colors[series.color];
        context.strokeStyle = colors.card;
        context.lineWidth = 1.5;
        context.beginPath();
        context.arc(x, scale.y(below), 4, 0, 2 * Math.PI);
        context.fill();
        context.stroke();
      }
    }
  }

  // The legend reads out the values: the newest, or those under the pointer.
  tell(history, colors) {
    const isHovered = Number.isFinite(this.view.hover) && history.length > 0;
    const back = isHovered ? history.nearest(this.view.hover) : 0;
    const said = this.options.series.map((series, i) => {
      const value = text(this.options.format, history.value(series.figure, back));
      setText(this.values[i], value);
      drawKey(series, colors, this.options.stacked);
      return series.name + " " + value;
    });
    const when = isHovered ? " at " + clockTime(history.time(back)) : "";
    this.canvas.setAttribute("aria-label", this.options.title + when + ": " + said.join(", "));
    setText(this.panel.querySelector(".unit"), isHovered ? clockTime(history.time(back)) : this.options.unit);
  }
}

function panelOf(title, unit, ...content) {
  return element("section", { class: "panel", "aria-label": title },
    element("div", { class: "top" }, element("h2", {}, title), element("span", { class: "unit" }, unit || "")),
    ...content);
}

function drawKey(series, colors, isArea) {
  const { key } = series;
  const ratio = window.devicePixelRatio || 1;
  if (key.dataset.color === colors[series.color] + ratio) {
    return;
  }
  key.dataset.color = colors[series.color] + ratio;
  const context = keyContext(key);
  context.fillStyle = context.strokeStyle = colors[series.color];
  if (isArea) {
    context.fillRect(1, 0, 11, 10);
    return;
  }
  context.lineWidth = series.width || 2;
  context.setLineDash(series.dash || []);
  context.beginPath();
  context.moveTo(0, 5);
  context.lineTo(14, 5);
  context.stroke();
}

function keyContext(key) {
  const ratio = window.devicePixelRatio || 1;
  key.width = 14 * ratio;
  key.height = 10 * ratio;
  const context = key.getContext("2d");
  context.scale(ratio, ratio);
  return context;
}

function linearScale(most, { format, atLeast = 0, atMost = Infinity }) {
  const isBinary = format === "bytes" || format === "rate";
  most = Math.max(most * 1.05, atLeast) || 1;
  const unit = isBinary ? 1024 ** Math.floor(Math.log(Math.max(most, 1)) / Math.log(1024)) : 1;
  const rough = most / unit / 4;
  const power = 10 ** Math.floor(Math.log10(rough));
  const step = NICE.map(nice => nice * power).find(nice => nice >= rough * 0.999) * unit;
  const top = Math.min(atMost, Math.ceil(most / step) * step);
  const ticks = [];
  for (let tick = 0; tick <= top * 1.0001; tick += step) {
    ticks.push(tick);
  }
  const height = HEIGHT - PAD.top - PAD.bottom;
  return { least: 0, most: top, ticks, y: value => HEIGHT - PAD.bottom - value / top * height };
}

function logScale(least, most) {
  const bottom = Math.floor(Math.log10(Number.isFinite(least) ? least : 1));
  const top = Math.max(bottom + 1, Math.ceil(Math.log10(Math.max(most, 1)) - 1e-9));
  const ticks = [];
  for (let power = bottom; power <= top; power++) {
    ticks.push(10 ** power);
  }
  const height = HEIGHT - PAD.top - PAD.bottom;
  const partOf = value => (Math.log10(Math.max(value, 10 ** bottom)) - bottom) / (top - bottom);
  const y = value => HEIGHT - PAD.bottom - partOf(value) * height;
  return { least: 10 ** bottom, most: 10 ** top, ticks, y };
}

function drawAxes(context, chart, scale, colors) {
  context.font = '11px system-ui, "Segoe UI", Roboto, "DejaVu Sans", sans-serif';
  context.lineWidth = 1;
  context.textBaseline = "middle";
  context.textAlign = "right";
  for (const tick of scale.ticks) {
    const y = Math.round(scale.y(tick)) + 0.5;
    context.strokeStyle = tick === scale.least ? colors.line : colors.grid;
    context.beginPath();
    context.moveTo(PAD.left, y);
    context.lineTo(chart.width - PAD.right, y);
    context.stroke();
    context.fillStyle = colors.soft;
    context.fillText(tick === 0 ? "0" : tickText(chart.options.format, tick), PAD.left - 7, y);
  }
  drawTimes(context, chart, colors);
}

function tickText(format, tick) {
  return text(format, tick).replace("/s", "").replace(/\.0+(?=\D|$)/, "").replace(/(\.\d)0(?=\D|$)/, "$1");
}

function drawTimes(context, chart, colors) {
  const { view } = chart;
  const room = chart.width - PAD.left - PAD.right;
  const step = [10, 15, 30, 60, 120, 300].find(seconds => room / (view.span / 1000 / seconds) >= 62) || 600;
  context.textBaseline = "alphabetic";
  context.fillStyle = colors.soft;
  for (let ago = 0; ago * 1000 <= view.span; ago += step) {
    const x = chart.x(view.end - ago * 1000);
    context.textAlign = ago === 0 ? "right" : x < PAD.left + 14 ? "left" : "center";
    const newest = view.isPaused ? clockTime(view.end) : "now";
    context.fillText(ago === 0 ? newest : ago % 60 ? `−${ago} s` : `−${ago / 60} min`, x, HEIGHT - 5);
  }
}
