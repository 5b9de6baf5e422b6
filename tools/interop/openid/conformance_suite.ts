/**
 * A client for the API of a running OpenID conformance suite, with the calls that are needed to run plans.
 */
import type { APIRequestContext } from "playwright-core";
import type { Visit } from "./person.ts";
import type { Plan } from "./plans.ts";

export interface Module {
  readonly testModule: string;
  readonly variant: object;
}

/** An entry of a module's log. `upload` names a screenshot that the module waits for. */
export interface Entry {
  readonly src: string;
  readonly msg?: string;
  readonly result?: string;
  readonly upload?: string;
  readonly img?: string;
  readonly expected_caep_event_types?: readonly string[];
}

export interface Info {
  readonly status: string;
  readonly result?: string;
}

export type ConformanceSuite = ReturnType<typeof conformanceSuite>;

/** Calls the suite at `url`. Every call throws on an error response, with its text. */
export function conformanceSuite(url: string, requests: APIRequestContext) {
  async function call<T>(method: string, path: string, query: Record<string, string>, data?: unknown) {
    const address = `${url}/api/${path}?${new URLSearchParams(query)}`;
    const headers = { "content-type": "application/json" };
    const answer = await requests.fetch(address, { method, headers, ...(data !== undefined && { data }) });
    const text = await answer.text();
    if (!answer.ok()) throw new Error(`${method} ${path} answered ${answer.status()}: ${text}`);
    return (text === "" ? undefined : JSON.parse(text)) as T;
  }
  return {
    version: async () => (await call<{ version: string }>("GET", "server", {})).version,
    createPlan: ({ name: planName, variant }: Plan, configuration: object) =>
      call<{ id: string; modules: Module[] }>(
        "POST",
        "plan",
        { planName, variant: JSON.stringify(variant) },
        configuration,
      ),
    start: (plan: string, { testModule: test, variant }: Module) =>
      call<{ id: string }>("POST", "runner", { test, plan, variant: JSON.stringify(variant) }),
    info: (id: string) => call<Info>("GET", `info/${id}`, {}),
    log: (id: string) => call<Entry[]>("GET", `log/${id}`, {}),
    /** Returns the address that the user has to open next, and marks it as visited. */
    async nextVisit(id: string): Promise<Visit | undefined> {
      type Running = { browser: { urlsWithMethod: Visit[] } };
      const { browser } = await call<Running>("GET", `runner/${id}`, {});
      const [visit] = browser.urlsWithMethod;
      if (visit !== undefined) await call("POST", `runner/browser/${id}/visit`, { url: visit.url });
      return visit;
    },
    /** Adds the screenshot to the first entry that waits for one, if any. */
    async show(id: string, jpeg: Buffer): Promise<void> {
      const waiting = (await this.log(id)).find(
        ({ upload, img }) => upload !== undefined && img === undefined,
      );
      const picture = `data:image/jpeg;base64,${jpeg.toString("base64")}`;
      if (waiting !== undefined)
        await call("POST", `log/${id}/images/${waiting.upload}`, {}, Buffer.from(picture));
    },
  };
}
