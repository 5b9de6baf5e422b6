import { setTimeout } from "node:timers/promises";
import type { ManifestResult } from "../../admin/manifest/apply_manifest.ts";
import { ApiProblem, ConnectionError } from "../../client/problems.ts";
import type { PersonResult, Target } from "../../moving_in/core/apply_export.ts";
import type { PublicView } from "../../records/definition/view.ts";
import { isUuid } from "../../records/names/ids.ts";
import { standardAttributes } from "../../records/rules/attributes.ts";
import type { Server } from "../server/server.ts";

const mostAttempts = 30;
/** Seconds before the next attempt if the response does not state a time (`Retry-After`). */
const pause = 2;

export function remoteTarget(
  server: Server,
  {
    source,
    dryRun,
    of_postern = false,
  }: { readonly source: string; readonly dryRun: boolean; readonly of_postern: boolean | undefined },
): Target {
  const listed = async (path: string, query: Readonly<Record<string, string>>) =>
    (await server.call<{ data: PublicView[] }>("GET", [path], { query, answer: "page", holds: "data" })).data;
  async function existing(id: string): Promise<string | undefined> {
    try {
      return String((await server.call<PublicView>("GET", ["organizations", id], { holds: "id" })).id);
    } catch (error) {
      if (error instanceof ApiProblem && error.status === 404) return undefined;
      throw error;
    }
  }
  return {
    async importPeople(people) {
      const body = {
        ...{ source, people },
        ...(dryRun && { dry_run: true }),
        ...(of_postern && { complete_applied: true }),
      };
      const { results } = await patiently(() =>
        server.call<{ results: PersonResult[] }>("POST", ["import", "people"], { body, holds: "results" }),
      );
      return results;
    },
    async apply(manifest, dry_run) {
      const body = { manifest, source, ...(dry_run && { dry_run }) };
      try {
        return await server.call<ManifestResult>("POST", ["apply"], { body, holds: "secrets", keyed: true });
      } catch (error) {
        if (!(error instanceof ApiProblem) || error.code !== "invalid_manifest") throw error;
        return { wrong: error.errors, error };
      }
    },
    async findOrganization(name) {
      if (isUuid(name)) return existing(name);
      const [found] = await listed("organizations", { slug: name });
      return found && String(found.id);
    },
    async userAttributes() {
      // A server has at most 200 attribute definitions for users.
      const defined = await listed("attributes", { record_type: "users", limit: "200" });
      const standard = standardAttributes.filter(({ record_type }) => record_type === "users");
      return [...new Set([...standard, ...defined].map(({ name }) => String(name)))];
    },
  };
}

async function patiently<R>(call: () => Promise<R>): Promise<R> {
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await call();
    } catch (error) {
      const isBusy = error instanceof ApiProblem && [429, 503].includes(error.status);
      // If a batch was applied but its response was lost, the next attempt reports the batch as unchanged.
      const mayPass = isBusy || error instanceof ConnectionError;
      if (!mayPass || attempt === mostAttempts) throw error;
      await setTimeout(((isBusy ? error.retryAfter : undefined) ?? pause) * 1000);
    }
  }
}
