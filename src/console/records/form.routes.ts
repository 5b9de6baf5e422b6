/** Records are made and changed by forms. */

import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify";
import type { AdminContext } from "../../admin/access/actor.ts";
import { permissionsOfActor } from "../../admin/access/actor.ts";
import { type Carrier, givablePermissions } from "../../admin/access/givable_permissions.ts";
import { faultsOfChange, faultsOfNew } from "../../admin/manage/faults_of_input.ts";
import { inState, requireWritable, updateRecord, type WritableRecord } from "../../admin/manage/manage.ts";
import { type Labels, labelsOf } from "../../admin/reports/labels.ts";
import type { Resource } from "../../admin/resources/resources.ts";
import { detail } from "../../errors/details.ts";
import { reason } from "../../errors/field_errors.ts";
import { Problem } from "../../errors.ts";
import { createOnce, formIdIn } from "../../http/create_once.ts";
import { sendPage } from "../../http/page.ts";
import { shownPicture } from "../../http/pictures.ts";
import type { Params } from "../../oauth/core/params.ts";
import type { HttpContext } from "../../people/core/http_context.http.ts";
import type { Permission } from "../../records/definition/permissions.ts";
import type { PublicView } from "../../records/definition/view.ts";
import type { FormError } from "../../web/error_sentence.ts";
import { codeOf } from "../../web/words/language.ts";
import { appQuickstart } from "../apps/app_quickstart.http.ts";
import { type FormField, formFields } from "../forms/form_spec.http.ts";
import { readForm } from "../forms/read_form.http.ts";
import {
  askedFields,
  type ErrorsByField,
  filledFrom,
  placedErrors,
  referencesOf,
  type Typed,
  valuesOf,
  withFurther,
} from "../forms/record_form.http.ts";
import { resourceTypeHref } from "../frame/console_frame.view.ts";
import { hrefWith } from "../frame/href_with.http.ts";
import { type ConsolePerson, consolePages, sudoFor } from "../frame/viewer.http.ts";
import { isOfferedToCreate } from "../lists/list.routes.ts";
import { presentations } from "../presentations/presentations.http.ts";
import { describerBy, describerOf, referencesIn } from "../presentations/record_labels.http.ts";
import { noticesOf } from "../presentations/record_notices.http.ts";
import type { BrandPreview } from "./brand_preview.view.ts";
import { choicePage } from "./choice.page.ts";
import { formPage } from "./form.page.ts";
import { madePage } from "./made.page.ts";

export function formRoutes(app: FastifyInstance, resource: Resource, context: HttpContext): void {
  if (resource.create !== undefined) creationRoutes(app, resource, context);
  if (resource.update !== undefined) changeRoutes(app, resource, context);
}

/** A form as it is shown again: what is wrong, and where. */
interface Shown {
  readonly typed: Typed;
  readonly at?: ErrorsByField;
  readonly rest?: readonly FormError[];
  readonly status?: number;
}

function creationRoutes(app: FastifyInstance, resource: Resource, context: HttpContext): void {
  const pages = consolePages(app, context);
  const { resourceType, noun } = resource;
  const path = resourceTypeHref(resourceType);
  const action = `${path}/new`;
  const { chosen } = presentations[resourceType];
  const choices = formFields(resource, true).find(({ name }) => name === chosen?.field)?.values ?? [];
  const prefillable = formFields(resource, true)
    .filter((field) => isPrefilled(resource, field))
    .map(({ name }) => name);

  /** The fields of the form, for who may make such a record. Throws 403 `forbidden`. */
  async function fieldsFor({ admin, page, params }: ConsolePerson): Promise<FormField[]> {
    const { is_platform_admin } = page.viewer;
    if (await isOfferedToCreate(admin, resource, is_platform_admin)) {
      const givable = await givableBy(admin, resource);
      const given = { chosen_value: chosenIn(params), switches: admin.switches, givable };
      return formFields(resource, is_platform_admin, undefined, undefined, given);
    }
    throw new Problem("forbidden", detail("not_yours_to_make", { record: noun }));
  }

  async function show(
    { admin, page, params, csrf_token, within }: ConsolePerson,
    reply: FastifyReply,
    fields: readonly FormField[],
    { typed, at, rest = [], status = 200 }: Shown,
    form_id = admin.store.newId(admin.now()),
  ): Promise<FastifyReply> {
    const asked = askedFields(fields, typed, at);
    const { groups = [] } = presentations[resourceType];
    const value = chosenIn(params);
    const choice =
      chosen === undefined || value === undefined ? undefined : { field: chosen.field, value, href: action };
    const first = value === undefined ? undefined : chosen?.first?.(value);
    const asksWhere = first !== undefined && (await mustChooseOrganization(admin, resource, within));
    const brand = brandIn(resource, typed, context);
    const ours = { ...page, resourceType, action, csrf_token, form_id, groups, brand };
    const form = { ...ours, fields: asked, errors: rest };
    return sendPage(
      reply,
      formPage({
        ...form,
        choice,
        first: first && [...first, ...(asksWhere ? ["organization_id"] : [])],
        cancel_href: path,
      }),
      { status },
    );
  }

  /** The value that the form is for, where one has to be chosen before it. */
  function chosenIn(params: Params): string | undefined {
    const value = chosen && params.get(chosen.field);
    return value !== undefined && choices.includes(value) ? value : undefined;
  }

  pages.get(action, async (person, _request, reply) => {
    const { admin, params, within } = person;
    const fields = await fieldsFor(person);
    if (chosen !== undefined && chosenIn(params) === undefined) {
      const rest = prefillable.flatMap((name) => {
        const value = params.get(name);
        return value === undefined ? [] : [[name, value] as const];
      });
      const hrefOf = (value: string) =>
        hrefWith(action, { [chosen.field]: value, ...Object.fromEntries(rest) });
      const links = choices.map((value) => ({
        value,
        href: hrefOf(value),
        help: chosen.help?.(value, person.page.words),
      }));
      const choice = { ...person.page, resourceType, field: chosen.field, choices: links, cancel_href: path };
      return sendPage(reply, choicePage(choice));
    }
    const organization_id = await organizationOfNew(admin, resource, within);
    const value = (field: FormField) =>
      (isPrefilled(resource, field) ? params.get(field.name) : undefined) ??
      field.initial ??
      (field.name === "organization_id" ? organization_id : undefined);
    const labels = await labelsOf(admin, referencesOf(fields, value));
    return show(person, reply, fields, {
      typed: filledFrom(fields, value, labels, codeOf(person.page.language)),
    });
  });

  const create = async (person: ConsolePerson, _request: FastifyRequest, reply: FastifyReply) => {
    const { admin, page, params } = person;
    const fields = await fieldsFor(person);
    const { input, typed, errors } = await readForm(admin, fields, params, undefined, {
      language: codeOf(page.language),
    });
    const form_id = formIdIn(params);
    const withAll = async (at: ErrorsByField) =>
      withFurther(at, await faultsOfNew(admin, resource, input), fields);
    if (Object.keys(errors).length > 0) {
      return show(person, reply, fields, { typed, at: await withAll(errors), status: 422 }, form_id);
    }
    try {
      const { record, once } = await createOnce(admin, resource, input, { params, form_id, path: action });
      const href = `${path}/${String(record.id)}`;
      const shownOnce = Object.entries(once).map(([name, value]) => ({ name, value }));
      if (shownOnce.length === 0) {
        return reply.redirect(`${href}${resourceType === "apps" ? "/use" : ""}?done=created`, 303);
      }
      if (resourceType === "apps") {
        const created = { secret: once.secret };
        return sendPage(reply, await appQuickstart(person, String(record.id), context.server, created));
      }
      const describer = await describerOf(admin, page, [[resource, [record]]]);
      const name = describer.name(resource, record);
      return sendPage(reply, madePage({ ...page, resourceType, name, href, once: shownOnce }));
    } catch (error) {
      if (!(error instanceof Problem)) throw error;
      const { at, rest } = placedErrors(error, fields);
      const errors = error.code === "idempotency_in_progress" ? [detail("form_in_progress")] : rest;
      const all = isAboutFields(error) ? await withAll(at) : at;
      return show(person, reply, fields, { typed, at: all, rest: errors, status: error.status }, form_id);
    }
  };
  pages.post(action, create, sudoFor(resourceType));
}

/**
 * Whether a link may fill the field: what the record hangs on, and what our own links give. A link of
 * somebody else's must not put anything in front of an administrator that one press would grant.
 */
function isPrefilled({ resourceType }: Resource, { name, references }: FormField): boolean {
  return references !== undefined || presentations[resourceType].prefilled?.includes(name) === true;
}

/**
 * The organization that the form for a new record begins with: the one that they work in, or the only one
 * where they may make such a record.
 */
async function organizationOfNew(
  admin: AdminContext,
  { resourceType }: Resource,
  within: string | undefined,
): Promise<string | undefined> {
  const { platform, organizations } = await permissionsOfActor(admin);
  const mayWithin = (id: string) =>
    platform || organizations.get(id)?.permissions.has(`${resourceType}:write`);
  if (within !== undefined && mayWithin(within)) return within;
  if (platform || presentations[resourceType].left_open?.includes("organization_id")) return undefined;
  const [only, ...others] = [...organizations].filter(([, { permissions }]) =>
    permissions.has(`${resourceType}:write`),
  );
  return others.length === 0 ? only?.[0] : undefined;
}

/** Whether the viewer makes such records in organizations alone, and in several. */
async function mustChooseOrganization(
  admin: AdminContext,
  resource: Resource,
  within: string | undefined,
): Promise<boolean> {
  const { platform } = await permissionsOfActor(admin);
  return !platform && (await organizationOfNew(admin, resource, within)) === undefined;
}

function changeRoutes(app: FastifyInstance, resource: Resource, context: HttpContext): void {
  const pages = consolePages(app, context);
  const { resourceType } = resource;
  const route = `${resourceTypeHref(resourceType)}/:id/edit`;

  interface Editing {
    readonly record: WritableRecord;
    readonly fields: readonly FormField[];
    /** The record as the form shows it. */
    readonly stored: Typed;
    /** The names of all that the record refers to, where they were looked up. */
    readonly labels: Labels | undefined;
  }

  /** `isShown` says that the form is answered: a change that is taken shows no names. */
  async function editing(
    { admin, page, signedIn }: ConsolePerson,
    id: string,
    isShown: boolean,
  ): Promise<Editing> {
    const record = await requireWritable(admin, resource, id);
    const { view } = record;
    const { switches } = admin;
    const givable = await givableBy(admin, resource, view);
    const given = { switches, givable };
    const fields = formFields(resource, page.viewer.is_platform_admin, view, signedIn.user.id, given);
    if (fields.length === 0) throw new Problem("forbidden", detail("not_yours_to_change"));
    const names = isShown ? Object.keys(view) : fields.map(({ name }) => name);
    const labels = await labelsOf(admin, referencesIn(resource, view, names));
    const stored = filledFrom(fields, valuesOf(view, fields), labels, codeOf(page.language));
    return { record, fields, stored, labels: isShown ? labels : undefined };
  }

  async function show(
    { admin, page, csrf_token }: ConsolePerson,
    reply: FastifyReply,
    { record: { id, view, etag: stored }, fields, labels: known }: Editing,
    { typed, at, rest = [], status = 200, etag = stored }: Shown & { readonly etag?: string },
    changed_meanwhile = false,
  ): Promise<FastifyReply> {
    const labels = known ?? (await labelsOf(admin, referencesIn(resource, view)));
    const describer = describerBy(labels, admin.now(), page);
    const href = `${resourceTypeHref(resourceType)}/${id}`;
    const form = formPage({
      ...page,
      resourceType,
      name: describer.name(resource, view),
      action: `${href}/edit`,
      csrf_token,
      etag,
      groups: presentations[resourceType].groups ?? [],
      notices: noticesOf(resource, view, page.words, context),
      brand: brandIn(resource, typed, context),
      fields: askedFields(fields, typed, at),
      errors: rest,
      changed_meanwhile,
      cancel_href: href,
    });
    return sendPage(reply, form, { status });
  }

  pages.get(route, async (person, _request, reply) => {
    const found = await editing(person, person.id, true);
    return show(person, reply, found, { typed: found.stored });
  });

  const change = async (person: ConsolePerson, _request: FastifyRequest, reply: FastifyReply) => {
    const { admin, params } = person;
    const found = await editing(person, person.id, false);
    const { record } = found;
    const etag = params.get("etag") ?? "";
    const {
      input: given,
      typed,
      errors,
    } = await readForm(admin, found.fields, params, found.stored, {
      language: codeOf(person.page.language),
      stored: record.view,
    });
    const input = withoutUnasked(given);
    const href = `${resourceTypeHref(resourceType)}/${record.id}`;
    const withAll = async (at: ErrorsByField) =>
      withFurther(at, await faultsOfChange(admin, resource, record, input), found.fields);
    if (Object.keys(errors).length > 0) {
      return show(person, reply, found, { typed, at: await withAll(errors), status: 422, etag });
    }
    if (Object.keys(input).length === 0) return reply.redirect(`${href}?done=unchanged`, 303);
    try {
      await updateRecord(admin, resource, record, input, await inState(admin, resource, etag));
      const isOn = input.active === true;
      return reply.redirect(`${href}?done=${isOn ? "switched_on" : "changed"}`, 303);
    } catch (error) {
      if (!(error instanceof Problem)) throw error;
      if (error.code !== "stale") {
        const { at, rest } = placedErrors(error, found.fields);
        const all = isAboutFields(error) ? await withAll(at) : at;
        return show(person, reply, found, { typed, at: all, rest, status: error.status, etag });
      }
      const changed = await editing(person, record.id, true);
      const at = differences(changed, typed);
      return show(person, reply, changed, { typed, at, status: error.status }, true);
    }
  };
  pages.post(route, change, sudoFor(resourceType));

  /** Browsers fill in passwords unasked: a proof counts beside the change that takes it. */
  function withoutUnasked(given: Readonly<Record<string, unknown>>): Readonly<Record<string, unknown>> {
    const { proofs = {} } = presentations[resourceType];
    const unasked = Object.entries(proofs).flatMap(([name, proof]) =>
      Object.hasOwn(given, name) ? [] : [proof],
    );
    return Object.fromEntries(Object.entries(given).filter(([name]) => !unasked.includes(name)));
  }

  /** At each field that holds something else than the record does by now, what that is. */
  function differences({ fields, stored }: Editing, typed: Typed): ErrorsByField {
    return Object.fromEntries(
      fields.flatMap(({ name, sensitive }) => {
        const [value, was] = [shown(stored[name]), shown(typed[name])];
        const why = value === "" ? reason("now_empty") : reason("now", { value });
        return sensitive || value === was ? [] : [[name, [{ path: `/${name}`, ...why }]]];
      }),
    );
  }
}

/** The permissions that the grid of the form offers, where it has one. */
async function givableBy(
  admin: AdminContext,
  { resourceType }: Resource,
  view?: PublicView,
): Promise<ReadonlySet<Permission> | undefined> {
  if (presentations[resourceType].granted === undefined) return undefined;
  return givablePermissions(admin, resourceType as Carrier, view);
}

/** The brand that the form holds, of a record that has one, to be looked at. */
function brandIn(
  { table }: Resource,
  typed: Typed,
  context: Pick<HttpContext, "picture_hosts">,
): BrandPreview | undefined {
  if (table !== "organizations") return undefined;
  const [name, accent, logo] = ["name", "accent", "logo_url"].map((member) => `settings.brand.${member}`);
  if (name === undefined || accent === undefined || logo === undefined) return undefined;
  const text = (field: string) => String(typed[field] ?? "").trim();
  return {
    name: text(name) || text("name"),
    accent: /^#[0-9a-f]{6}$/i.exec(text(accent))?.[0],
    logo_url: shownPicture(text(logo) || text("logo_url"), context),
    fields: { name, accent, logo },
  };
}

/** Whether a refusal tells faults of fields, so that the others of the form belong beside them. */
function isAboutFields({ code, errors }: Problem): boolean {
  return (code === "invalid_record" || code === "conflict") && errors.length > 0;
}

/** Characters of a value within a sentence, at most. */
const mostShown = 120;

function shown(value: Typed[string] | undefined): string {
  const text = Array.isArray(value) ? value.join(", ") : String(value ?? "").replaceAll("\n", ", ");
  return text.length > mostShown ? `${text.slice(0, mostShown)}…` : text;
}
