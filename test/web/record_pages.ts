import { type ApisOfApp, appApisCard } from "../../src/console/apps/app_apis.card.ts";
import { tokenPreviewPage } from "../../src/console/apps/token_preview.page.ts";
import { verifyCard } from "../../src/console/apps/verify.card.ts";
import type { SnippetApi } from "../../src/console/apps/verify_snippets.view.ts";
import { impactPage } from "../../src/console/endings/impact.page.ts";
import { missingPage } from "../../src/console/frame/missing.page.ts";
import { listPage } from "../../src/console/lists/list.page.ts";
import { manyDonePage, manyPage } from "../../src/console/lists/many.page.ts";
import { searchPage } from "../../src/console/lists/search.page.ts";
import { organizationPage } from "../../src/console/organization.page.ts";
import { organizationProfilePage } from "../../src/console/organization_profile.page.ts";
import { presentations } from "../../src/console/presentations/presentations.http.ts";
import { endpointCards } from "../../src/console/records/endpoint.card.ts";
import { choicePage, formPage, madePage } from "../../src/console/records/form.page.ts";
import { providerCard, providerCheckPage } from "../../src/console/records/provider_check.page.ts";
import { recordPage } from "../../src/console/records/record.page.ts";
import { type SignInMethodsCard, signInMethodsCard } from "../../src/console/records/sign_in_methods.card.ts";
import { detail } from "../../src/errors/details.ts";
import { reason } from "../../src/errors/field_errors.ts";
import { providerFinding } from "../../src/errors/provider_findings.ts";
import { type Html, html } from "../../src/web/html/html.ts";
import { cautions } from "../../src/web/html/notice.ts";
import type { ManagementLocale } from "../../src/web/words/page_locale.ts";
import { aList } from "./console_page_samples.ts";
import { formsOf } from "./forms_of.ts";
import { aConsoleReader, fieldControls, filterFields, listedRecords, shownFields } from "./record_samples.ts";

/** Returns the console's record pages, with `text` wherever other users' text appears. */
export function recordPages(text: string, address: string, locale: ManagementLocale): Record<string, Html> {
  const page = aConsoleReader(locale, text);
  const said = reason("now", { value: text });
  const at = new Date("2030-01-01T12:00:00Z");
  const shown = shownFields(text, address);
  const named = { name: text, identifier: text, href: address };
  const itsApis: ApisOfApp = {
    asks: (["listed", "registered", "any", "off"] as const).map((why) => ({ ...named, why })),
    more: 2,
    is: [named, { ...named, href: undefined }],
  };
  const notFound = detail("not_found", { record: "app", name: text });
  const notDone = [
    { name: text, why: "already" as const },
    { name: text, why: "failed" as const },
    { name: text, why: [notFound] },
  ];
  const aCard = { id: text, redirect_uri: text };
  const methods = (card: Partial<SignInMethodsCard>): Html =>
    signInMethodsCard(
      {
        user_id: text,
        password: true,
        is_imported: false,
        linked_accounts: 2,
        recovery_codes: 8,
        level: "phr",
        factors: (["synced", "device", "security_key", "app"] as const).map((kind) => ({
          id: text,
          name: text,
          kind,
          ...(kind !== "app" && { rp_id: text, aaguid: text }),
          added_at: at,
          used_at: kind === "device" ? null : at,
        })),
        may_remove: true,
        recovery: { lost: "passkeys", due_at: at, expires_at: at },
        ...card,
      },
      page,
    );
  const requested = { ...page, csrf_token: text, action: address, cancel_href: address, errors: [] };
  const form = {
    ...requested,
    resourceType: "apps",
    groups: presentations.apps.groups ?? [],
    fields: fieldControls(text),
  } as const;
  const consequence = {
    ...requested,
    ...({ resourceType: "apps", verb: "delete", name: text, etag: text, confirm: "" } as const),
    ...{ impact: {}, signs_out: false, limit: 10_000, fields: [] },
  };
  const bare = { ...page, id: text, name: text, fields: [], related: [], more: [], destructive: [] };
  const partPage = (resourceType: "providers" | "users" | "webhook_endpoints", ...parts: Html[]) =>
    recordPage({ ...bare, resourceType, groups: [], parts });
  const anApi: SnippetApi = {
    issuer: text,
    jwks_uri: text,
    introspection_endpoint: text,
    identifier: text,
    algorithms: [text],
    scope: text,
    bound: true,
    client_id: text,
  };
  const apiPage = (api: SnippetApi) =>
    recordPage({
      ...bare,
      resourceType: "resources",
      groups: presentations.resources.groups ?? [],
      parts: [
        cautions(
          Object.values(page.words.appApis.risk).map((sentence) =>
            typeof sentence === "string" ? sentence : sentence(text),
          ),
        ) || html``,
        verifyCard(api, page.words),
      ],
    });
  return {
    recordList: listPage({
      ...page,
      resourceType: "apps",
      // As many columns as a list can have, of the kinds with different layouts.
      columns: ["client_id", "app_type", "allowed_scopes", "evidence", "public", "created_at"],
      sorts: new Map([
        ["", { href: address }],
        ["created_at", { href: address, present: "descending" as const }],
        ["client_id", { href: address, present: "ascending" as const }],
      ]),
      selection: { action: address, csrf_token: text, verbs: ["switch_off", "delete"], back: text },
      records: listedRecords(text, address).map((record) => ({ ...record, id: text })),
      filters: filterFields(text, said),
      narrowed: true,
      kept: { sort: text },
      presets: [{ href: address, label: text, current: true }],
      place: {
        from: 1,
        count: 50,
        total: 10_000,
        total_is_more: true,
        previous_href: address,
        next_href: address,
        lengths: [
          { length: 25, href: address, current: false },
          { length: 50, href: address, current: true },
        ],
      },
      exported: {
        action: address,
        csrf_token: text,
        fields: { q: text },
        formats: ["csv", "jsonl"],
        most: 100_000,
      },
      create_href: address,
      done: "deleted",
      errors: [notFound],
    }),
    recordMany: manyPage({
      ...page,
      resourceType: "apps",
      verb: "switch_off",
      action: address,
      csrf_token: text,
      records: [{ id: text, name: text, state: text }],
      not_done: notDone,
      impact: { people: 42 },
      signs_out: true,
      limit: 10_000,
      confirm_wrong: true,
      back: address,
    }),
    recordManyDone: manyDonePage({
      ...page,
      resourceType: "tokens",
      verb: "revoke",
      done: [{ id: text, name: text }],
      not_done: notDone,
      back: address,
    }),
    ...formsOf(
      listPage,
      { ...page, resourceType: "tokens", columns: [], records: [], filters: [], narrowed: false, errors: [] },
      {
        recordListEmpty: { resourceType: "api_keys", filters: filterFields(text), create_href: address },
        recordListNothing: { filters: filterFields("").slice(0, 2), narrowed: true },
      },
    ),
    record: recordPage({
      ...page,
      resourceType: "apps",
      id: text,
      name: text,
      state: "revoked",
      groups: presentations.apps.groups ?? [],
      fields: shown,
      folded: shown.slice(-4).map(({ name }) => name),
      tabs: [
        { href: address, label: text, current: true },
        { href: address, label: text },
      ],
      parts: [appApisCard(itsApis, page.words)].filter((part) => part !== undefined),
      related: [
        {
          resourceType: "app_secrets",
          columns: ["app_type", "created_at"],
          records: listedRecords(text, address),
          all_href: address,
          create_href: address,
        },
        { resourceType: "tokens", columns: [], records: [], all_href: address },
      ],
      edit_href: address,
      revoke_href: address,
      delete_href: address,
      more: [{ href: address, label: text }],
      destructive: [{ href: address, label: text }],
      done: "created",
    }),
    tokenPreviewAsked: tokenPreviewPage({ ...page, typed: previewForm(text), not_found: "user" }),
    tokenPreview: tokenPreviewPage({
      ...page,
      typed: previewForm(text),
      preview: {
        scopes: [text],
        refused_scopes: [text],
        audience: [],
        claims: {
          id_token: [
            { claim: text, source: "attribute", scopes: [text], value: text },
            { claim: text, source: "membership", absent: "no_organization" },
            { claim: text, source: "protocol", set_at_issue: true },
          ],
          userinfo: [],
          access_token: [],
          introspection: [],
        },
      },
    }),
    tokenPreviewRefused: tokenPreviewPage({
      ...page,
      typed: previewForm(text),
      preview: {
        ...{ scopes: [text], refused_scopes: [], audience: [text] },
        ...{ not_issued: "organization_not_chosen", organizations: [text] },
        claims: { id_token: [], userinfo: [], access_token: [], introspection: [] },
      },
    }),
    searchFound: searchPage({
      ...page,
      query: text,
      groups: [
        {
          resourceType: "users",
          columns: ["email", "created_at"],
          records: listedRecords(text, address),
          all_href: address,
        },
      ],
      unread: [{ resourceType: "tokens", href: address }],
    }),
    searchNothing: searchPage({ ...page, docs_url: "/documents", query: text, groups: [], unread: [] }),
    organization: organizationPage({
      ...page,
      found: {
        chosen: { id: text, name: text },
        choices: [
          { id: text, name: text },
          { id: address, name: text },
        ],
        has_more: true,
        csrf_token: text,
      },
      query: "",
      back: "/console",
    }),
    organizationNone: organizationPage({
      ...page,
      found: { chosen: undefined, choices: [], has_more: false, csrf_token: text },
      query: text,
      back: "/console/apps",
    }),
    ...formsOf(
      organizationProfilePage,
      {
        ...page,
        ...{ may_edit: true, may_write_roles: true, may_add_providers: true },
        organization: { id: text, name: text, slug: text, logo_url: address },
      },
      {
        organizationProfile: {
          members: [
            {
              ...{ id: text, roles: [text, text], group_roles: [text], name: text, email: text },
              last_login_at: new Date(0),
              factors: ["passkey" as const, "totp" as const],
              may_assign: true,
            },
            {
              id: text,
              roles: ["member"],
              group_roles: [],
              name: text,
              email: text,
              last_login_at: null,
              factors: [],
              may_assign: false,
            },
          ],
          invitations: [{ email: text, role: "member", further_roles: [text], expires_at: new Date(0) }],
          roles: [{ id: text, name: text, holders: 1 }],
          providers: [{ id: text, label: text }],
          events: [{ id: text, type: text, created_at: new Date(0).toISOString() }],
        },
        organizationProfileEmpty: {
          ...{ may_edit: false, may_write_roles: false, may_add_providers: false },
          ...{ members: [], invitations: [], roles: [], providers: [], events: [] },
        },
      },
    ),
    listOfOneOrganization: listPage(aList({ ...page, scope: { id: text, name: text } })),
    listOfNoOrganization: listPage(aList({ ...page, resourceType: "sessions", scope: "everywhere" })),
    consoleMissing: missingPage(page),
    recordOfApi: apiPage(anApi),
    recordOfApiWithoutApps: apiPage({ ...anApi, client_id: undefined, scope: undefined, bound: false }),
    recordOfUser: partPage("users", methods({})),
    recordOfBareUser: partPage(
      "users",
      methods({
        is_imported: true,
        password: false,
        recovery_codes: 0,
        level: undefined,
        factors: [],
        may_remove: false,
        recovery: { lost: "second_factors", due_at: at, expires_at: at },
      }),
    ),
    recordOfProvider: partPage(
      "providers",
      providerCard({ ...aCard, is_ready: true, csrf_token: text }, page.words),
    ),
    recordOfEndpoint: partPage(
      "webhook_endpoints",
      ...endpointCards(
        { ...{ id: text, position: 7, active: false, types: [text] }, csrf_token: text },
        page.words,
      ),
    ),
    recordOfUnreadyProvider: partPage("providers", providerCard({ ...aCard, is_ready: false }, page.words)),
    ...formsOf(
      providerCheckPage,
      { ...page, provider: { id: text, label: text }, findings: undefined, csrf_token: text },
      {
        providerChecked: {
          findings: [
            { check: "redirect_uri", ok: true, found: providerFinding("address", { address: text }) },
            { check: "keys", ok: false, found: providerFinding("keys"), expected: text, received: text },
          ],
        },
        providerCheckedTooOften: {},
      },
    ),
    recordChoice: choicePage({
      ...page,
      resourceType: "providers",
      field: "preset",
      choices: [
        { value: "oidc", href: address, help: text },
        { value: text, href: address },
      ],
      cancel_href: address,
    }),
    ...formsOf(formPage, form, {
      recordForm: { form_id: text },
      recordFormOfKind: {
        fields: fieldControls(text, said),
        choice: { field: "kind", value: "website", href: address },
        first: fieldControls(text)
          .slice(0, 3)
          .map(({ name }) => name),
      },
      recordFormOfBrand: {
        resourceType: "organizations",
        groups: presentations.organizations.groups ?? [],
        fields: [
          { name: "settings.brand.accent", kind: "string", format: "colour", required: false, value: text },
        ],
        brand: {
          name: text,
          accent: "#0e6655",
          logo_url: address,
          fields: { name: text, accent: text, logo: text },
        },
      },
      recordFormFailed: {
        resourceType: "service_accounts",
        name: text,
        etag: text,
        groups: presentations.service_accounts.groups ?? [],
        fields: fieldControls(text, said),
        errors: [notFound],
        changed_meanwhile: true,
      },
    }),
    ...formsOf(impactPage, consequence, {
      consequence: {
        impact: { tokens: 12_804, people: 318, secrets: 1 },
        signs_out: true,
        confirm: text,
        confirm_wrong: true,
        fields: fieldControls(text, said).slice(0, 1),
        errors: [notFound],
      },
      consequenceOfNothing: { resourceType: "app_secrets", verb: "revoke" },
    }),
    made: madePage({
      ...page,
      resourceType: "key_pairs",
      name: text,
      href: address,
      once: [
        { name: "secret", value: text },
        { name: "private_key_pem", value: `${text}\n${text}` },
      ],
    }),
  };
}

const previewForm = (text: string) => ({
  app: text,
  user: text,
  organization: text,
  scope: text,
  resource: text,
});
