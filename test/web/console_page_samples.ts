/**
 * Record pages of the console, of which a test changes the values that it is about, and functions that read
 * them.
 */

import type { ImpactPage } from "../../src/console/endings/impact.page.ts";
import type { ListPage } from "../../src/console/lists/list.page.ts";
import { presentations } from "../../src/console/presentations/presentations.http.ts";
import type { FormPage } from "../../src/console/records/form.page.ts";
import type { RecordPage } from "../../src/console/records/record.page.ts";
import type { ManagementLanguage } from "../../src/web/words/language.ts";
import { readHtml } from "./read_html.ts";
import { aReader } from "./reader.ts";
import { aConsoleReader, fieldControls } from "./record_samples.ts";

/** Returns a page as text, and as a strict reader sees it. */
export function read(page: unknown) {
  const source = String(page);
  const { tags, text } = readHtml(source);
  const withName = (name: string) => tags.filter((tag) => tag.name === name);
  const attribute = (name: string, value: string) =>
    tags.filter(({ attributes }) => attributes.get(name) === value);
  return { source, tags, text: text.replace(/\s+/g, " "), withName, attribute };
}

/** Returns a list page of apps, with these values in place of the defaults. */
export const aList = (more: Partial<ListPage> = {}, language: ManagementLanguage = "en"): ListPage => ({
  ...aConsoleReader(aReader(language)),
  resourceType: "apps",
  columns: ["client_id", "active"],
  records: [],
  filters: [],
  narrowed: false,
  errors: [],
  ...more,
});

/** Returns a viewer whose frame has no forms, so that all forms belong to the page. */
const withoutOrganizations = (language: ManagementLanguage = "en") => {
  const reader = aConsoleReader(aReader(language));
  return { ...reader, viewer: { ...reader.viewer, organizations: undefined } };
};

/** Returns a form for a new app, with these values in place of the defaults. */
export const aForm = (more: Partial<FormPage> = {}): FormPage => ({
  ...withoutOrganizations(),
  resourceType: "apps",
  action: "/console/apps/new",
  csrf_token: "t",
  groups: presentations.apps.groups ?? [],
  fields: fieldControls("x"),
  errors: [],
  cancel_href: "/console/apps",
  ...more,
});

/** Returns the page of an app, with these values in place of the defaults. */
export const aRecord = (more: Partial<RecordPage> = {}): RecordPage => ({
  ...aConsoleReader(),
  resourceType: "apps",
  id: "1",
  name: "Orders",
  groups: presentations.apps.groups ?? [],
  fields: [],
  related: [],
  more: [],
  destructive: [],
  ...more,
});

/** Returns the confirmation page of an app's deletion, with these values in place of the defaults. */
export const aConsequence = (
  more: Partial<ImpactPage> = {},
  language: ManagementLanguage = "en",
): ImpactPage => ({
  ...withoutOrganizations(language),
  resourceType: "apps",
  name: "Orders",
  verb: "delete",
  action: "/console/apps/1/delete",
  csrf_token: "t",
  etag: "e",
  impact: {},
  signs_out: true,
  limit: 10_000,
  confirm: "orders",
  fields: [],
  errors: [],
  cancel_href: "/console/apps/1",
  ...more,
});
