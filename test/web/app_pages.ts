import { checksPage } from "../../src/console/apps/checks.page.ts";
import { type PlaygroundPage, playgroundPage } from "../../src/console/apps/playground.page.ts";
import { type UsePage, usePage } from "../../src/console/apps/use.page.ts";
import { fieldError } from "../../src/errors/field_errors.ts";
import { demandsMade, profileDemands } from "../../src/records/names/profiles.ts";
import { type RiskKind, riskKinds } from "../../src/records/names/risk_kinds.ts";
import type { Exchange } from "../../src/web/exchange.ts";
import type { Html } from "../../src/web/html/html.ts";
import type { ManagementLocale } from "../../src/web/words/page_locale.ts";
import { aConsoleReader } from "./record_samples.ts";

const id = "01920000-0000-7000-8000-000000000002";

/** Returns the pages of one app except its record, with `text` in place of all user-supplied text. */
export function appPages(text: string, address: string, locale: ManagementLocale): Record<string, Html> {
  const page = aConsoleReader(locale, text);
  const app: UsePage["app"] = {
    id,
    name: text,
    to_mend: 2,
    issuer: `http://${text}`,
    client_id: text,
    public: false,
    proves_keys: false,
    in_browser: false,
    on_device: false,
    rsa_id_tokens: true,
    sign_in: { redirect_uri: text, scope: `openid ${text}` },
    machine: { scope: text },
    resource: text,
  };
  const endpoints: UsePage["endpoints"] = {
    issuer: text,
    discovery: address,
    authorization_endpoint: text,
    token_endpoint: text,
    userinfo_endpoint: text,
    jwks_uri: address,
    introspection_endpoint: text,
    revocation_endpoint: text,
    end_session_endpoint: text,
  };
  const exchange = (kind: Exchange["kind"]): Exchange => ({
    kind,
    request: { method: "POST", url: text, headers: { [`x-${text}`]: text }, body: text },
    response: { status: 200, headers: { "content-type": text }, body: text },
    decoded: { id_token: text, access_token: text },
    explained: ["state", "nonce", "code_challenge"],
  });
  const playground: PlaygroundPage = {
    ...page,
    app: { id, name: text, to_mend: 0 },
    csrf_token: text,
    unable: [],
    kept_address: text,
    sign_in: { scopes: [{ name: text, chosen: true }] },
    machine: { scopes: [{ name: text, chosen: false }] },
    makes_secret: true,
    steps: [exchange("start"), exchange("callback"), exchange("token"), exchange("foreign")],
    actions: ["userinfo", "introspect", "refresh", "revoke"],
    seconds: 900,
    running: true,
    done: "removed",
  };
  const kinds = Object.keys(riskKinds) as RiskKind[];
  const checks = (some: readonly RiskKind[]) =>
    checksPage({
      ...page,
      app: { id, name: text, to_mend: 0 },
      risks: some.map((kind, index) => ({
        kind,
        ...riskKinds[kind],
        about: index % 2 === 0 ? [] : [text, text],
      })),
      secrets_seen: false,
      demands: demandsMade(profileDemands.fapi2),
      misfits: [fieldError("/redirect_uris/0", "redirect_insecure"), fieldError("/jwks", "keys_missing")],
    });
  return {
    useApp: usePage({ ...page, app, gaps: ["inactive", "no_secret", "revoked"], endpoints }),
    useAppInBrowser: usePage({
      ...page,
      app: {
        ...app,
        issuer: `https://${text}`,
        public: true,
        in_browser: true,
        machine: undefined,
        resource: undefined,
      },
      gaps: ["public"],
      endpoints,
    }),
    useAppOfNothing: usePage({
      ...page,
      app: { ...app, sign_in: undefined, machine: undefined },
      gaps: ["no_grants", "no_redirect_uri", "no_scopes", "no_machine_scopes", "public_machine"],
      endpoints,
    }),
    useAppAtFirst: usePage({ ...page, app, gaps: [], endpoints, api: "none", created: { secret: text } }),
    useAppOnDevice: usePage({
      ...page,
      app: {
        ...app,
        public: true,
        on_device: true,
        sign_in: { redirect_uri: "http://127.0.0.1/cb", scope: "openid" },
      },
      gaps: [],
      endpoints,
      created: {},
      api: {
        issuer: text,
        jwks_uri: text,
        introspection_endpoint: text,
        identifier: text,
        algorithms: ["RS256"],
        scope: text,
        bound: false,
        client_id: text,
      },
    }),
    // No app can have every risk at once.
    checkApp: checks(kinds.slice(0, kinds.length / 2)),
    checkAppFurther: checks(kinds.slice(kinds.length / 2)),
    checkCleanApp: checksPage({
      ...page,
      app: { id, name: text, to_mend: 0 },
      risks: [],
      secrets_seen: true,
      demands: [],
      misfits: [],
    }),
    tryApp: playgroundPage(playground),
    tryAppAtFirst: playgroundPage({
      ...playground,
      kept_address: undefined,
      steps: [],
      actions: [],
      running: false,
      done: undefined,
    }),
    tryAppWrongly: playgroundPage({ ...playground, wrong_scopes: true, steps: [], running: false }),
    tryNoApp: playgroundPage({
      ...playground,
      unable: ["revoked", "inactive", "no_grants", "no_scopes", "public_machine", "own_key"],
      kept_address: undefined,
      sign_in: undefined,
      machine: undefined,
      steps: [],
      actions: [],
      running: false,
      done: "ended",
    }),
  };
}
