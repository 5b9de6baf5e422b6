/**
 * Sends 60 kB of hostile text as the value of each header, query parameter and form field of every route, and
 * measures the processor time of each response. `npm run hostile -- --help`.
 */
import type { InjectOptions } from "fastify";
import { formOf, type Parameters } from "../../test/support/flows.ts";
import type { Route } from "../../test/support/routes.ts";
import { basesOf, type HostileFixture, membersRead } from "./fixture.ts";
import { hostileForms, hostileHeaders, hostileJson, hostileMembers } from "./texts.ts";

/** Maximum factor by which a response may be slower than an ordinary response of its route. */
const mostTimes = 20;

/** Milliseconds of processor time that are always acceptable. */
const floor = 15;

/** Number of times that a request that was too slow is sent again before it is reported. */
const repetitions = 5;

/** Maximum bytes of a form that the server reads. */
const mostBytes = 65_000;

/** Parameters that are sent to every route, in addition to those that the route reads. */
const genericMembers = ["redirect", "ui_locales", "csrf_token", "anything"];

interface HostileRequest {
  readonly route: Route;
  /** Which part of the request contains the text, such as `header cookie`. */
  readonly place: string;
  readonly text: string;
  readonly send: InjectOptions;
}

export interface Excess {
  readonly method: string;
  readonly path: string;
  readonly place: string;
  readonly text: string;
  /** Milliseconds of processor time: of the fastest attempt, and of an ordinary request. */
  readonly cost: number;
  readonly ordinary: number;
}

export interface HostileFigures {
  readonly routes: number;
  readonly requests: number;
  readonly dearest: readonly Excess[];
  readonly excesses: readonly Excess[];
  /** Requests with 5xx responses. */
  readonly failed: readonly string[];
}

const formType = { "content-type": "application/x-www-form-urlencoded" };

/**
 * Returns the processor time of one request in milliseconds, on all threads of this process. The requests
 * run one at a time.
 */
async function costOf(send: InjectOptions, it: HostileFixture): Promise<{ cost: number; status: number }> {
  const before = process.cpuUsage();
  const { statusCode } = await it.app.inject(send);
  const { user, system } = process.cpuUsage(before);
  return { cost: (user + system) / 1000, status: statusCode };
}

/** Returns a new client address per call, so that limits by address do not hide the cost of the work. */
function addresses(): () => string {
  let count = 0;
  return () => {
    count += 1;
    return `10.${(count >> 16) & 255}.${(count >> 8) & 255}.${count & 255}`;
  };
}

function ordinaryOf(route: Route, base: Parameters, it: HostileFixture): InjectOptions {
  const url = route.path.replaceAll(/:\w+|\*/g, "x");
  const headers = { accept: "text/html", cookie: it.cookie };
  if (route.method === "POST")
    return { method: "POST", url, headers: { ...headers, ...formType }, payload: formOf(base) };
  return { method: route.method as "GET", url: `${url}?${formOf(base)}`, headers };
}

/** Yields every hostile request to a route. */
async function* requestsTo(route: Route, it: HostileFixture): AsyncGenerator<HostileRequest> {
  const isPost = route.method === "POST";
  const bases = basesOf(route, it);
  const [first = {}] = bases;
  const plain = ordinaryOf(route, first, it);
  for (const name of it.headers)
    for (const [text, value] of hostileHeaders) {
      // Valid cookies come first, because without them the server would not read the others.
      const input = name === "cookie" ? `${it.cookie}; ${value}` : value;
      const send = { ...plain, headers: { ...plain.headers, [name]: input } };
      yield { route, place: `header ${name}`, text, send };
    }
  // Anonymous requests to the management API need no hostile parameters, because it reads only their headers.
  if ((!isPost && route.method !== "GET") || route.path.startsWith("/api/v1/")) return;
  const [path] = String(plain.url).split("?");
  const sendOf = (parameters: string): InjectOptions =>
    isPost ? { ...plain, payload: parameters } : { ...plain, url: `${path}?${parameters}` };
  const where = isPost ? "form" : "query";
  for (const base of bases) {
    const read = await membersRead((probe) => it.app.inject(sendOf(`${formOf(base)}&${probe}=1`)));
    for (const member of new Set([...read, ...Object.keys(base), ...genericMembers])) {
      const place = `${where} ${member}`;
      const name = encodeURIComponent(member);
      const others = Object.fromEntries(Object.entries(base).filter(([other]) => other !== member));
      for (const [text, value] of hostileMembers)
        yield { route, place, text, send: sendOf(`${formOf(others)}&${name}=${value}`) };
      const again = `${name}=1&`.repeat(10_000).slice(0, mostBytes);
      yield { route, place, text: "10,000 repetitions", send: sendOf(again) };
    }
  }
  for (const [text, form] of hostileForms) yield { route, place: where, text, send: sendOf(form) };
  if (/[:*]/.test(route.path))
    for (const [text, value] of hostileMembers) {
      const url = route.path.replace(/:\w+|\*/, value);
      yield { route, place: "path", text, send: { ...plain, url } };
    }
  if (!isPost) return;
  const headers = { ...plain.headers, "content-type": "application/json" };
  for (const [text, payload] of hostileJson)
    yield { route, place: "body", text, send: { ...plain, headers, payload } };
}

export interface HostileOptions {
  /** Selects requests by their number; by default all. */
  readonly chosen?: (at: number) => boolean;
  readonly routes?: (route: Route) => boolean;
}

export async function hostile(
  it: HostileFixture,
  { chosen = () => true, routes = () => true }: HostileOptions = {},
): Promise<HostileFigures> {
  const address = addresses();
  const all: Excess[] = [];
  const excesses: Excess[] = [];
  const failed = new Set<string>();
  const requested = it.routes.filter(routes);
  let requests = 0;
  let at = 0;
  const measured = async (send: InjectOptions) => {
    requests += 1;
    // The test application collects its log in memory, so the log is emptied before each request.
    it.logged.length = 0;
    return costOf({ ...send, remoteAddress: address() }, it);
  };
  for (const route of requested) {
    const [base = {}] = basesOf(route, it);
    const plain = ordinaryOf(route, base, it);
    let ordinary = Number.POSITIVE_INFINITY;
    for (let time = 0; time < 3; time++) ordinary = Math.min(ordinary, (await measured(plain)).cost);
    const most = Math.max(floor, mostTimes * ordinary);
    for await (const request of requestsTo(route, it)) {
      at += 1;
      if (!chosen(at)) continue;
      const once = await measured(request.send);
      let { cost } = once;
      for (let time = 1; time < repetitions && cost > most; time++)
        cost = Math.min(cost, (await measured(request.send)).cost);
      const { place, text } = request;
      const excess = { ...route, place, text, cost, ordinary };
      if (once.status >= 500) failed.add(`${once.status} ${route.method} ${route.path}, ${place}: ${text}`);
      if (cost > most) excesses.push(excess);
      all.push(excess);
      if (all.length > 2_000) all.sort((one, other) => other.cost - one.cost).splice(30);
    }
  }
  const dearest = all.sort((one, other) => other.cost - one.cost).slice(0, 30);
  return { routes: requested.length, requests, dearest, excesses, failed: [...failed] };
}
