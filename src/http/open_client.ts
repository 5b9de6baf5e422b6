/**
 * Page texts about a client that no administrator registered: facts that the server has verified, and what
 * the client says about itself.
 */
import { once } from "../lazily.ts";
import { clientLinksOf } from "../records/definition/client_links.ts";
import type { OAuthApp } from "../records/definition/definition.ts";
import { isDeceptiveName, isMistakable, skeletonOf } from "../records/names/look_alikes.ts";
import { isOpenClient } from "../records/rules/client_record.ts";
import { verifiedHost } from "../records/rules/open_clients.ts";
import type { OpenClientOnPage } from "../web/html/open_client.ts";
import type { ShellContext } from "./context.ts";

const longestName = 60;

const pageSize = 1000;

/** Milliseconds for which the names of registered apps are cached. */
const namesLast = 60_000;

type Store = ShellContext["server"]["store"];

async function readNames(store: Store): Promise<ReadonlySet<string>> {
  const skeletons = new Set<string>();
  let after: string | undefined;
  for (;;) {
    const apps = await store.list(
      "oauth_apps",
      { provenance: "registered" },
      { order_by: "id", limit: pageSize, ...(after !== undefined && { after }) },
    );
    for (const { name } of apps) skeletons.add(skeletonOf(name));
    if (apps.length < pageSize) return skeletons;
    after = apps.at(-1)?.id;
  }
}

function namesOf({ store, memory, now }: ShellContext["server"]): Promise<ReadonlySet<string>> {
  const at = now().getTime();
  const { app_names: known } = memory;
  if (known !== undefined && at - known.read_at < namesLast) return known.skeletons;
  const skeletons = readNames(store);
  memory.app_names = { read_at: at, skeletons };
  skeletons.catch(() => {
    memory.app_names = undefined;
  });
  return skeletons;
}

const graphemes = once(() => new Intl.Segmenter("en", { granularity: "grapheme" }));

function shortened(name: string): string {
  const letters = Array.from(graphemes().segment(name), ({ segment }) => segment);
  return letters.length <= longestName ? name : `${letters.slice(0, longestName - 1).join("")}…`;
}

/** How many consecutive words of a client's name are compared with the name of this server or of an app. */
const lengths = [1, 2, 3, 4, 5, 6];

/** Minimum number of characters at which the name of an app is recognized within a longer name. */
const shortestPart = 4;

/** With these words, clients would claim to be verified, in the languages of the pages. */
const vouching = once(
  (): ReadonlySet<string> =>
    new Set(
      [
        "Verified",
        "Verifiziert",
        "Verificado",
        "Verificada",
        "Vérifié",
        "Vérifiée",
        "検証済み",
        "已验证",
      ].map(skeletonOf),
    ),
);

function namesOther(
  name: string,
  known: ReadonlySet<string>,
  { brand, server }: Pick<ShellContext, "brand" | "server">,
): boolean {
  const words = name.split(/[^\p{L}\p{M}\p{N}\p{Cf}]+/u).filter((word) => word !== "");
  const pieces = new Set(
    words.flatMap((_, from) =>
      lengths.map((length) => skeletonOf(words.slice(from, from + length).join(" "))),
    ),
  );
  const { hostname } = new URL(server.issuer);
  if (["Postern", brand?.name, hostname].some((own) => own !== undefined && pieces.has(skeletonOf(own))))
    return true;
  return [...pieces].some(
    (piece) => vouching().has(piece) || (piece.length >= shortestPart && known.has(piece)),
  );
}

async function claimedName(
  name: string,
  context: Pick<ShellContext, "server" | "brand">,
): Promise<Pick<OpenClientOnPage, "claimed_name" | "hidden_name">> {
  if (skeletonOf(name) === "") return { claimed_name: undefined };
  if (isDeceptiveName(name)) {
    return { claimed_name: undefined, hidden_name: "deceptive" };
  }
  const known = await namesOf(context.server);
  if (namesOther(name, known, context) || isMistakable(name, known)) {
    return { claimed_name: undefined, hidden_name: "resembles" };
  }
  return { claimed_name: shortened(name) };
}

/**
 * Returns the page text about a client that no administrator registered; undefined for any other client. A
 * name is hidden if it is deceptive, claims to be verified, or resembles this server or a registered app
 * (PR-11).
 */
export async function openClientOnPage(
  app: Pick<OAuthApp, "name" | "client_id" | "provenance" | "registration">,
  context: Pick<ShellContext, "server" | "brand">,
): Promise<OpenClientOnPage | undefined> {
  if (!isOpenClient(app)) return undefined;
  const verified_host = verifiedHost(app);
  const { client_id, name } = app;
  const claimed = name === verified_host ? { claimed_name: undefined } : await claimedName(name, context);
  const { policy_uri, tos_uri } = clientLinksOf({ metadata: app.registration });
  const links = { ...(policy_uri && { policy_uri }), ...(tos_uri && { tos_uri }) };
  return { verified_host, client_id, ...claimed, links };
}
