// Requests to the server that this page came from.

/** An answer that says no: `code` is stable, `message` is for people. */
export class Refusal extends Error {
  constructor(status, code, message) {
    super(message);
    this.status = status;
    this.code = code;
  }
}

const ROOT = '/api/v1';
let csrf = '';

/** The token that each request which changes something must carry; known once there is a session. */
export function useCsrf(token) {
  csrf = token ?? '';
}

async function request(method, path, body, {accept = 'application/json', idle = false} = {}) {
  const headers = {Accept: accept};
  if (idle) headers['X-Sedge-Idle'] = 'true';
  if (body !== undefined) headers['Content-Type'] = 'application/json';
  if (method !== 'GET' && csrf) headers['X-Sedge-Csrf'] = csrf;
  let response;
  try {
    response = await fetch(ROOT + path, {
      method,
      headers,
      credentials: 'same-origin',
      cache: 'no-store',
      body: body === undefined ? undefined : JSON.stringify(body),
    });
  } catch {
    throw new Refusal(0, 'UNREACHABLE', '');
  }
  if (response.ok) return response;
  const said = await response.json().catch(() => ({}));
  throw new Refusal(response.status, said.code ?? String(response.status), said.message ?? response.statusText);
}

async function json(method, path, body, how) {
  const response = await request(method, path, body, how);
  return response.status === 204 ? undefined : response.json();
}

export const get = (path) => json('GET', path);
/** Asks by itself, not since somebody has done something: a session does not last longer for it. */
export const getIdly = (path) => json('GET', path, undefined, {idle: true});
export const post = (path, body = {}) => json('POST', path, body);
export const put = (path, body) => json('PUT', path, body);
export const remove = (path) => json('DELETE', path);

/** Saves an answer as a file. */
export async function save(name, method, path, body) {
  const blob = await (await request(method, path, body, {accept: 'text/csv'})).blob();
  const link = document.createElement('a');
  link.href = URL.createObjectURL(blob);
  link.download = name;
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), 1000);
}

/** A part of a path. */
export const part = encodeURIComponent;

/** How long a page that nobody sees keeps its connection: a browser has few of them. */
const UNSEEN = 20_000;

/**
 * Server-sent events for as long as it is open and seen. The browser connects again by itself after a break; where it has
 * given up (the server has said no) this does, once in three seconds.
 */
export class Events {
  #path;
  #handlers;
  #onState;
  #source;
  #again;
  #hiding;

  /**
   * @param handlers by the name of the event
   * @param onState told `true` when it is connected, `false` when it is not
   */
  constructor(path, handlers, onState) {
    this.#path = path;
    this.#handlers = handlers;
    this.#onState = onState;
    document.addEventListener('visibilitychange', this.#seen);
    this.#connect();
  }

  #seen = () => {
    clearTimeout(this.#hiding);
    if (document.hidden) {
      this.#hiding = setTimeout(() => this.#disconnect(), UNSEEN);
    } else if (this.#source.readyState === EventSource.CLOSED) {
      this.#disconnect();
      this.#onState(false);
      this.#connect();
    }
  };

  #disconnect() {
    clearTimeout(this.#again);
    this.#source.close();
  }

  #connect() {
    const source = new EventSource(ROOT + this.#path);
    this.#source = source;
    source.onopen = () => this.#onState(true);
    source.onerror = () => {
      this.#onState(false);
      if (source.readyState === EventSource.CLOSED) {
        this.#again = setTimeout(() => this.#connect(), 3000);
      }
    };
    for (const [name, handler] of Object.entries(this.#handlers)) {
      source.addEventListener(name, (event) => handler(JSON.parse(event.data)));
    }
  }

  close() {
    document.removeEventListener('visibilitychange', this.#seen);
    clearTimeout(this.#hiding);
    this.#disconnect();
  }
}
