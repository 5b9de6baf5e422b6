/**
 * A server whose records have the long names, addresses and identifiers of real life, and the lists of these
 * records.
 */
import assert from "node:assert/strict";
import { aPerson, signInAs, type TestApp, type TestBrowser, testApp, testBrowser } from "./app.ts";
import {
  aCode,
  aConsent,
  aKeyPair,
  aMembership,
  anApiKey,
  anApp,
  anEvent,
  anOAuthAccount,
  anOrganization,
  aProvider,
  aRefusal,
  aResource,
  aSecret,
  aServiceAccount,
  aSession,
  aToken,
  aUser,
  later,
} from "./builders.ts";
import { shown } from "./console.ts";

const agent =
  "Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/129.0.0.0 Safari/537.36";

/** Users with difficult names: long words, without spaces, in other scripts. */
const people = [
  ["Wolfeschlegelsteinhausenbergerdorff", "wolfeschlegelsteinhausenbergerdorff.senior@abteilung.example.de"],
  [
    "María del Carmen Fernández-Villaverde y Gutiérrez",
    "maria-del-carmen.fernandez@universidad-nacional.example",
  ],
  ["阿尔伯特·爱因斯坦", "einstein@example.cn"],
  ["Ada", "a@b.example"],
  ["نور الهدى بنت عبد الرحمن", "nour.alhuda.abdulrahman+postern@correspondence.example.com"],
] as const;

export interface LongFixture extends TestApp {
  readonly browser: TestBrowser;
  /** The list of every resource type as a platform administrator sees it, by its name. */
  readonly lists: Readonly<Record<string, string>>;
}

export async function longFixture(): Promise<LongFixture> {
  const it = await testApp({ throttle: false });
  const { store } = it;
  const root = await aPerson(it, { name: "Root", is_platform_admin: true });
  const organization = await anOrganization(store, {
    name: "Gesellschaft für wissenschaftliche Datenverarbeitung mbH Göttingen",
    slug: "gesellschaft-fuer-wissenschaftliche-datenverarbeitung",
  });
  const organization_id = organization.id;
  const at = later(59);
  for (const [index, [name, email]] of people.entries()) {
    const user = await aUser(store, { name, email, last_login_at: at, active: index !== 3 });
    const user_id = user.id;
    await aMembership(store, { user_id, organization_id, role: "administrator_of_the_whole_department" });
    const app = await anApp(store, {
      name: `${name} Auftragsverwaltungssystem`,
      client_id: `https://clients.correspondence.example.com/metadata/${index}/client-metadata.json`,
      owner_id: user_id,
      // A self-registered client cannot belong to an organization.
      ...(index === 1 ? { provenance: "metadata_document" } : { organization_id }),
    });
    const app_id = app.id;
    const scopes = ["openid", "offline_access", `urn:${email}:orders:read`, "orders:write", "a", "b", "c"];
    await aSecret(store, { app_id, secret_prefix: "pcs_wolfesch", last_used_at: at });
    await aToken(store, { app_id, user_id, scopes });
    await aCode(store, { app_id, user_id, scopes });
    await aConsent(store, { app_id, user_id, scopes, last_used_at: at });
    await aSession(store, {
      user_id,
      user_agent: agent,
      client_ip: "2001:0db8:85a3:0000:0000:8a2e:0370:7334",
    });
    await anOAuthAccount(store, { user_id, provider: `provider-${index}`, provider_user_id: email, email });
    const account = await aServiceAccount(store, {
      name: `${name} Deployment`,
      email: `deployment-${email}`,
      organization_id,
      last_used_at: at,
    });
    await aKeyPair(store, { service_account_id: account.id, key_id: `key-of-${email}`, last_used_at: at });
    await anApiKey(store, { name: `${name} Deployment`, user_id, organization_id, last_used_at: at });
    await aResource(store, {
      name: `${name} Schnittstelle`,
      identifier: `https://api.correspondence.example.com/orders/${index}/wissenschaftliche-datenverarbeitung`,
      organization_id,
    });
    await aProvider(store, { organization_id, slug: `provider-number-${index}-of-${index}`, label: name });
    await anEvent(store, {
      type: "linked_account.tokens_revoked",
      organization_id,
      actor_kind: "user",
      actor_id: user_id,
      target_table: "oauth_apps",
      target_id: app_id,
      client_ip: "2001:0db8:85a3:0000:0000:8a2e:0370:7334",
    });
    await aRefusal(store, { app_id, error: "insufficient_user_authentication" });
  }
  for (let more = 0; more < 20; more += 1)
    await aUser(store, { name: `Person ${more}`, email: `user00${more}@example.com`, last_login_at: at });
  const browser = testBrowser(it.app);
  await signInAs(browser, root);
  const lists: Record<string, string> = {};
  for (const { path } of shown) {
    const page = await browser.get(`/console/${path}`);
    assert.equal(page.statusCode, 200, page.body);
    lists[path] = page.body;
  }
  return { ...it, browser, lists };
}
