// <sedge-spark>: a small line without axes. Only those in sight are drawn, all in one frame.
import {colour} from './palette.js';

const waiting = new Set();
let frame;

const observer = new IntersectionObserver((entries) => {
  for (const entry of entries) {
    entry.target.inSight = entry.isIntersecting;
    if (entry.isIntersecting) draw(entry.target);
  }
});

function draw(spark) {
  waiting.add(spark);
  frame ??= requestAnimationFrame(() => {
    frame = undefined;
    const begin = performance.now();
    for (const next of waiting) {
      waiting.delete(next);
      next.draw();
      // The rest in the next frame: a page with hundreds of lines still answers.
      if (performance.now() - begin > 12 && waiting.size > 0) {
        draw(waiting.values().next().value);
        return;
      }
    }
  });
}

class Spark extends HTMLElement {
  #canvas = document.createElement('canvas');
  #line;
  #version = -1;
  inSight = false;

  constructor() {
    super();
    this.#canvas.setAttribute('aria-hidden', 'true');
  }

  /** What is drawn: `{times, values, version}`; drawn again if the version is another. */
  set line(line) {
    if (line === this.#line && line?.version === this.#version) return;
    this.#line = line;
    this.#version = line?.version;
    if (this.inSight) draw(this);
  }

  connectedCallback() {
    this.append(this.#canvas);
    observer.observe(this);
    window.addEventListener('sedge-theme', this.#again);
  }

  disconnectedCallback() {
    observer.unobserve(this);
    waiting.delete(this);
    window.removeEventListener('sedge-theme', this.#again);
  }

  #again = () => draw(this);

  draw() {
    const canvas = this.#canvas;
    const ratio = window.devicePixelRatio || 1;
    const width = canvas.clientWidth;
    const height = canvas.clientHeight;
    if (!this.#line || width === 0) return;
    if (canvas.width !== Math.round(width * ratio)) canvas.width = Math.round(width * ratio);
    if (canvas.height !== Math.round(height * ratio)) canvas.height = Math.round(height * ratio);
    const pen = canvas.getContext('2d');
    pen.setTransform(ratio, 0, 0, ratio, 0, 0);
    pen.clearRect(0, 0, width, height);
    const {times, values} = this.#line;
    const first = Math.max(0, times.length - 240);
    let low = Infinity;
    let high = -Infinity;
    for (let i = first; i < values.length; i++) {
      const value = values[i];
      if (typeof value !== 'number') continue;
      if (value < low) low = value;
      if (value > high) high = value;
    }
    if (low === Infinity) return;
    const span = high - low || 1;
    const from = times[first];
    const length = times.at(-1) - from || 1;
    pen.strokeStyle = colour(0);
    pen.lineWidth = 1.5;
    pen.lineJoin = 'round';
    pen.beginPath();
    let down = false;
    for (let i = first; i < values.length; i++) {
      const value = values[i];
      if (typeof value !== 'number') {
        down = false;
        continue;
      }
      const x = ((times[i] - from) / length) * (width - 2) + 1;
      const y = high === low ? height / 2 : height - 3 - ((value - low) / span) * (height - 6);
      if (down) pen.lineTo(x, y);
      else pen.moveTo(x, y);
      down = true;
    }
    pen.stroke();
  }
}

customElements.define('sedge-spark', Spark);
