// Requests to the studio. Every error has a code and a message for the reader.
import { t } from "/js/dom.js";

/** The reason why a request failed. `status` is 0 if the studio could not be reached. */
export class ApiError extends Error {
  constructor(status, code, message, field) {
    super(message);
    this.status = status;
    this.code = code;
    this.field = field;
  }

  /** True if the same request may succeed later. */
  get isTemporary() {
    return this.status === 0 || this.status === 503 || this.status === 504;
  }
}

/** Events: "lost" when the studio cannot be reached, "back" when it can be reached again. */
export const connection = new EventTarget();
let isLost = false;

function setLost(lost) {
  if (lost === isLost) return;
  isLost = lost;
  connection.dispatchEvent(new Event(lost ? "lost" : "back"));
}

/**
 * Sends a request; returns the decoded JSON, or null for an answer without a body.
 *
 * @param options signal; isFile: true to return the response itself, unless it is an error.
 */
export async function request(method, path, body, options = {}) {
  let response;
  try {
    response = await fetch(path, {
      method,
      signal: options.signal,
      headers: body === undefined ? {} : { "Content-Type": "application/json" },
      body: body === undefined ? undefined : JSON.stringify(body),
      credentials: "same-origin",
    });
  } catch (error) {
    if (error.name === "AbortError") throw error;
    setLost(true);
    throw new ApiError(0, "unreachable", t("shell.unreachable"));
  }
  setLost(false);
  if (response.status === 204) return null;
  if (options.isFile && response.ok) return response;
  if (!(response.headers.get("Content-Type") ?? "").startsWith("application/json")) {
    if (response.ok) return response;
    throw new ApiError(response.status, "failed", t("shell.failed", { status: response.status }));
  }
  let value;
  try {
    value = await response.json();
  } catch (error) {
    if (error.name === "AbortError") throw error;
    setLost(true);
    throw new ApiError(0, "unreachable", t("shell.unreachable"));
  }
  if (response.ok) return value;
  const fault = value.error ?? {};
  throw new ApiError(response.status, fault.code ?? "failed", fault.message ?? "", fault.field);
}

export const get = (path, options) => request("GET", path, undefined, options);
export const post = (path, body = {}, options) => request("POST", path, body, options);
export const put = (path, body, options) => request("PUT", path, body, options);
export const del = (path, options) => request("DELETE", path, undefined, options);

/** Waits. */
export const pause = (milliseconds) => new Promise((done) => setTimeout(done, milliseconds));

/**
 * Repeats a request until the studio can be reached; other errors are thrown at once. Use it for
 * requests that may be sent twice.
 */
export async function persistently(action, options = {}) {
  for (let wait = 200; ; wait = Math.min(5000, wait * 1.6)) {
    try {
      return await action();
    } catch (error) {
      if (!(error instanceof ApiError) || !error.isTemporary || options.signal?.aborted) throw error;
      options.onWait?.(error);
    }
    await pause(wait * (0.75 + Math.random() / 2));
  }
}

/** Encodes a part of a path. */
export const part = encodeURIComponent;
