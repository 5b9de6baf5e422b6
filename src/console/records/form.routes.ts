import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify";
import { type AdminContext, permissionsOfActor } from "../../admin/access/actor.ts";
import type { Input } from "../../admin/access/errors.ts";
import { type Carrier, givablePermissions } from "../../admin/access/givable_permissions.ts";
import { errorsOfChange, errorsOfNew } from "../../admin/manage/errors_of_input.ts";
import { inState, requireWritable, updateRecord, type WritableRecord } from "../../admin/manage/manage.ts";
import { type Labels, labelsOf } from "../../admin/reports/labels.ts";
import type { Resource } from "../../admin/resources/resources.ts";
import { detail } from "../../errors/details.ts";
import { type FieldError, reason } from "../../errors/field_errors.ts";
import { Problem } from "../../errors.ts";
import { createOnce, formIdIn } from "../../http/create_once.ts";
import { sendPage } from "../../http/page.ts";
import type { Params } from "../../oauth/core/params.ts";
import type { HttpContext } from "../../people/core/http_context.http.ts";
import type { Permission } from "../../records/definition/permissions.ts";
import type { PublicView } from "../../records/definition/view.ts";
import { isUuid } from "../../records/formats/check.ts";
import type { FormError } from "../../web/error_sentence.ts";
import { appQuickstart } from "../apps/app_quickstart.http.ts";
import { groupsWithAttributes, withAttributes } from "../forms/attribute_fields.http.ts";
import { type FormField, formFields, offeredIn, withHelp } from "../forms/form_spec.http.ts";
import { nameOrId } from "../forms/natural_names.http.ts";
import { offeredRoles, withRolesToGive } from "../forms/offered_roles.http.ts";
import { readForm, type StoredForm } from "../forms/read_form.http.ts";
import {
  type ErrorsByField,
  fieldControls,
  filledFrom,
  placedErrors,
  referencesOf,
  type Typed,
  valuesOf,
  withFurther,
} from "../forms/record_form.http.ts";
import { resourceTypeHref } from "../frame/console_frame.view.ts";
import { hrefWith } from "../frame/href_with.http.ts";
import { type ConsoleSender, consolePages, sudoFor } from "../frame/viewer.http.ts";
import { isOfferedToCreate } from "../lists/list.routes.ts";
import { presentations } from "../presentations/presentations.http.ts";
import { describerBy, describerOf, referencesIn } from "../presentations/record_labels.http.ts";
import { noticesOf } from "../presentations/record_notices.http.ts";
import { brandIn } from "./brand_in.http.ts";
import { choicePage, formPage, madePage } from "./form.page.ts";
import { mustChooseOrganization, organizationOfNew, ownerOfNew } from "./organization_of_new.http.ts";

export function formRoutes(app: FastifyInstance, resource: Resource, context: HttpContext): void {
  if (resource.create !== undefined) creationRoutes(app, resource, context);
  if (resource.update !== undefined) changeRoutes(app, resource, context);
}

interface Shown {
  readonly typed: Typed;
  readonly at?: ErrorsByField;
  readonly rest?: readonly FormError[];
  readonly status?: number;
}

interface SentForm {
  readonly fields: readonly FormField[];
  readonly stored?: StoredForm;
  furtherErrors(input: Input): Promise<readonly FieldError[]>;
  apply(input: Input): Promise<FastifyReply>;
  show(shown: Shown): Promise<FastifyReply>;
  /** Returns the response in place of the form with its errors; undefined if the form is shown. */
  refused(error: Problem, typed: Typed): Promise<FastifyReply> | undefined;
}

async function answerForm(
  { admin, params, language }: ConsoleSender,
  { resourceType }: Resource,
  { fields, stored, furtherErrors, apply, show, refused }: SentForm,
): Promise<FastifyReply> {
  const { input: read, typed, errors } = await readForm(admin, fields, params, language, stored);
  const input = withoutAutofill(read, presentations[resourceType].proofs);
  const withAll = async (at: ErrorsByField) => withFurther(at, await furtherErrors(input), fields);
  if (Object.keys(errors).length > 0) return show({ typed, at: await withAll(errors), status: 422 });
  try {
    return await apply(input);
  } catch (error) {
    if (!(error instanceof Problem)) throw error;
    const { at, rest } = placedErrors(error, fields);
    const { status } = error;
    return (
      (await refused(error, typed)) ??
      show({ typed, at: isAboutFields(error) ? await withAll(at) : at, rest, status })
    );
  }
}

/** Leaves out passwords that the browser filled in although no change requires them. */
function withoutAutofill(provided: Input, proofs: Readonly<Record<string, string>> = {}): Input {
  const unasked = Object.entries(proofs).flatMap(([name, proof]) =>
    Object.hasOwn(provided, name) ? [] : [proof],
  );
  return Object.fromEntries(Object.entries(provided).filter(([name]) => !unasked.includes(name)));
}

function creationRoutes(app: FastifyInstance, resource: Resource, context: HttpContext): void {
  const pages = consolePages(app, context);
  const { resourceType, noun } = resource;
  const path = resourceTypeHref(resourceType);
  const action = `${path}/new`;
  const { chosen, groups = [], begins = {} } = presentations[resourceType];
  const offered = offeredIn(resource, context.server.settings);
  const all = formFields(resource, true);
  const choices = all.find(({ name }) => name === chosen?.field)?.values ?? [];
  const prefillable = all.filter((field) => isPrefilled(resource, field)).map(({ name }) => name);

  function chosenIn(params: Params): string | undefined {
    const value = chosen && params.get(chosen.field);
    return value !== undefined && choices.includes(value) ? value : undefined;
  }

  async function fieldsFor({ admin, params }: ConsoleSender, within?: string): Promise<FormField[]> {
    const { platform } = await permissionsOfActor(admin);
    if (!(await isOfferedToCreate(admin, resource, platform))) {
      throw new Problem("forbidden", detail("not_yours_to_make", { record: noun }));
    }
    const givable = await givableBy(admin, resource);
    const formContext = { chosen_value: chosenIn(params), offered, givable };
    const fields = formFields(resource, platform, undefined, undefined, formContext);
    return withAttributes(admin, resource, fields, await ownerOfNew(admin, resource, params, within));
  }

  async function show(
    sender: ConsoleSender,
    reply: FastifyReply,
    fields: readonly FormField[],
    { typed, at, rest = [], status = 200 }: Shown,
    form_id = sender.admin.store.newId(sender.admin.now()),
  ): Promise<FastifyReply> {
    const { admin, page, params, csrf_token, within } = await sender.shown();
    const value = chosenIn(params);
    const choice =
      chosen === undefined || value === undefined ? undefined : { field: chosen.field, value, href: action };
    const first = value === undefined ? undefined : chosen?.first?.(value);
    const choosesOrganization =
      first !== undefined && (await mustChooseOrganization(admin, resource, within));
    const form = formPage({
      ...page,
      ...{ resourceType, action, csrf_token, form_id, choice },
      groups: groupsWithAttributes(groups, fields),
      brand: brandIn(resource, typed, context),
      fields: fieldControls(withHelp(resource, fields, context.identity, undefined, value), typed, at),
      errors: rest,
      first: first && [...first, ...(choosesOrganization ? ["organization_id"] : [])],
      cancel_href: path,
    });
    return sendPage(reply, form, { status });
  }

  pages.get(action, async (person, _request, reply) => {
    const { admin, params, within, page } = person;
    const fields = await fieldsFor(person, within);
    const provided = Object.fromEntries(
      prefillable.flatMap((name) => {
        const value = params.get(name);
        return value === undefined ? [] : [[name, value] as const];
      }),
    );
    if (chosen !== undefined && chosenIn(params) === undefined) {
      const links = choices.map((value) => ({
        value,
        href: hrefWith(action, { [chosen.field]: value, ...provided }),
        help: chosen.help?.(value, page.words, context.server.settings),
      }));
      const choice = { ...page, resourceType, field: chosen.field, choices: links, cancel_href: path };
      return sendPage(reply, choicePage(choice));
    }
    const organization_id = await organizationOfNew(admin, resource, within);
    const began =
      organization_id === undefined || page.viewer.is_platform_admin
        ? {}
        : Object.fromEntries(Object.entries(begins).map(([name, of]) => [name, of(organization_id)]));
    const values = Object.fromEntries(
      fields.map(({ name, initial }) => [
        name,
        provided[name] ?? initial ?? (name === "organization_id" ? organization_id : began[name]),
      ]),
    );
    for (const { name, names_of } of fields) {
      const value = values[name];
      if (names_of !== undefined && isUuid(value)) values[name] = await nameOrId(admin, names_of, value);
    }
    const labels = await labelsOf(admin, referencesOf(fields, values));
    return show(person, reply, fields, { typed: filledFrom(fields, values, labels, person.language) });
  });

  async function create(sender: ConsoleSender, reply: FastifyReply, input: Input): Promise<FastifyReply> {
    const { admin, params } = sender;
    const sent = { params, form_id: formIdIn(params), path: action };
    const { record, once } = await createOnce(admin, resource, input, sent);
    const href = `${path}/${String(record.id)}`;
    const shownOnce = Object.entries(once).map(([name, value]) => ({ name, value }));
    if (shownOnce.length === 0) {
      return reply.redirect(`${href}${resourceType === "apps" ? "/use" : ""}?done=created`, 303);
    }
    const person = await sender.shown();
    if (resourceType === "apps") {
      const created = { secret: once.secret };
      return sendPage(reply, await appQuickstart(person, String(record.id), context.server, created));
    }
    const describer = await describerOf(admin, person.page, [[resource, [record]]]);
    const name = describer.name(resource, record);
    return sendPage(reply, madePage({ ...person.page, resourceType, name, href, once: shownOnce }));
  }

  const answer = async (sender: ConsoleSender, _request: FastifyRequest, reply: FastifyReply) => {
    const fields = await fieldsFor(sender);
    const showAgain = (shown: Shown) => show(sender, reply, fields, shown, formIdIn(sender.params));
    return answerForm(sender, resource, {
      fields,
      furtherErrors: (input) => errorsOfNew(sender.admin, resource, input),
      apply: (input) => create(sender, reply, input),
      show: showAgain,
      refused: ({ code, status }, typed) =>
        code === "idempotency_in_progress"
          ? showAgain({ typed, rest: [detail("form_in_progress")], status })
          : undefined,
    });
  };
  pages.submit(action, answer, sudoFor(resourceType));
}

/**
 * Returns whether the URL may fill in the field. A link on another site could otherwise fill in permissions,
 * which an administrator would grant with one click.
 */
function isPrefilled({ resourceType }: Resource, { name, references }: FormField): boolean {
  return references !== undefined || presentations[resourceType].prefilled?.includes(name) === true;
}

function changeRoutes(app: FastifyInstance, resource: Resource, context: HttpContext): void {
  const pages = consolePages(app, context);
  const { resourceType } = resource;
  const { groups = [] } = presentations[resourceType];
  const list = resourceTypeHref(resourceType);
  const route = `${list}/:id/edit`;
  const offered = offeredIn(resource, context.server.settings);

  interface Editing {
    readonly record: WritableRecord;
    readonly fields: readonly FormField[];
    readonly stored: StoredForm;
    readonly labels: Labels | undefined;
  }

  async function editing(sender: ConsoleSender, isShown: boolean): Promise<Editing> {
    const { admin, signedIn, id, language } = sender;
    const record = await requireWritable(admin, resource, id);
    const { view } = record;
    const { platform } = await permissionsOfActor(admin);
    const formContext = {
      offered: { ...offered, ...(await offeredRoles(admin, resource, view.organization_id)) },
      givable: await givableBy(admin, resource, view),
    };
    const known = formFields(resource, platform, view, signedIn.user.id, formContext);
    const offeredFields = await withRolesToGive(admin, resource, known, view);
    const fields = await withAttributes(admin, resource, offeredFields, view);
    if (fields.length === 0) throw new Problem("forbidden", detail("not_yours_to_change"));
    const values = valuesOf(view, fields);
    const references = isShown ? referencesIn(resource, view) : referencesOf(fields, values);
    const labels = await labelsOf(admin, references);
    const stored = { view, values, shown: filledFrom(fields, values, labels, language) };
    return { record, fields, stored, labels: isShown ? labels : undefined };
  }

  async function show(
    sender: ConsoleSender,
    reply: FastifyReply,
    { record: { id, view, etag: found }, fields, labels: known }: Editing,
    { typed, at, rest = [], status = 200, etag = found }: Shown & { readonly etag?: string },
    changed_meanwhile = false,
  ): Promise<FastifyReply> {
    const { admin, page, csrf_token } = await sender.shown();
    const labels = known ?? (await labelsOf(admin, referencesIn(resource, view)));
    const href = `${list}/${id}`;
    const form = formPage({
      ...page,
      ...{ resourceType, csrf_token, etag, changed_meanwhile },
      groups: groupsWithAttributes(groups, fields),
      name: describerBy(labels, admin.now(), page).name(resource, view),
      action: `${href}/edit`,
      notices: noticesOf(resource, view, page.words, context),
      brand: brandIn(resource, typed, context),
      fields: fieldControls(withHelp(resource, fields, context.identity, view), typed, at),
      errors: rest,
      cancel_href: href,
    });
    return sendPage(reply, form, { status });
  }

  pages.get(route, async (person, _request, reply) => {
    const found = await editing(person, true);
    return show(person, reply, found, { typed: found.stored.shown });
  });

  const answer = async (sender: ConsoleSender, _request: FastifyRequest, reply: FastifyReply) => {
    const { admin, params } = sender;
    const found = await editing(sender, false);
    const { record, fields, stored } = found;
    const etag = params.get("etag") ?? "";
    return answerForm(sender, resource, {
      fields,
      stored,
      furtherErrors: (input) => errorsOfChange(admin, resource, record, input),
      async apply(input) {
        const href = `${list}/${record.id}`;
        if (Object.keys(input).length === 0) return reply.redirect(`${href}?done=unchanged`, 303);
        await updateRecord(admin, resource, record, input, await inState(admin, resource, etag));
        return reply.redirect(`${href}?done=${input.active === true ? "switched_on" : "changed"}`, 303);
      },
      show: (shown) => show(sender, reply, found, { ...shown, etag }),
      refused: ({ code, status }, typed) =>
        code === "stale" ? compare(sender, reply, typed, status) : undefined,
    });
  };
  pages.submit(route, answer, sudoFor(resourceType));

  async function compare(sender: ConsoleSender, reply: FastifyReply, typed: Typed, status: number) {
    const changed = await editing(sender, true);
    const at = Object.fromEntries(
      changed.fields.flatMap(({ name, sensitive }) => {
        const [value, was] = [cut(changed.stored.shown[name]), cut(typed[name])];
        const why = value === "" ? reason("now_empty") : reason("now", { value });
        return sensitive || value === was ? [] : [[name, [{ path: `/${name}`, ...why }]]];
      }),
    );
    return show(sender, reply, changed, { typed, at, status }, true);
  }
}

async function givableBy(
  admin: AdminContext,
  { resourceType }: Resource,
  view?: PublicView,
): Promise<ReadonlySet<Permission> | undefined> {
  if (presentations[resourceType].granted === undefined) return undefined;
  return givablePermissions(admin, resourceType as Carrier, view);
}

function isAboutFields({ code, errors }: Problem): boolean {
  return (code === "invalid_record" || code === "conflict") && errors.length > 0;
}

/** In characters. */
const mostShown = 120;

function cut(value: Typed[string] | undefined): string {
  const text = Array.isArray(value) ? value.join(", ") : String(value ?? "").replaceAll("\n", ", ");
  return text.length > mostShown ? `${text.slice(0, mostShown)}…` : text;
}
