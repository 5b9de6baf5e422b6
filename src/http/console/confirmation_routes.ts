/**
 * What cannot be undone – deleting, revoking, switching off, narrowing – begins with a page that says what
 * ends.
 */
import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify";
import type { AdminContext } from "../../admin/access/actor.ts";
import type { Input } from "../../admin/faults.ts";
import { isPlatformOnly } from "../../admin/guards/guards.ts";
import {
  inState,
  removeRecord,
  requireWritable,
  revokeRecord,
  updateRecord,
  type WritableRecord,
} from "../../admin/manage.ts";
import { impactLimit, impactOf } from "../../admin/reports/impact.ts";
import { labelsOf } from "../../admin/reports/labels.ts";
import type { Expected, Resource } from "../../admin/resources/resources.ts";
import { detail } from "../../errors/details.ts";
import { fieldError } from "../../errors/field_errors.ts";
import { Problem } from "../../errors.ts";
import type { PublicView } from "../../records/view.ts";
import { resourceTypeHref } from "../../web/console/console_frame.ts";
import { type ImpactPage, impactPage } from "../../web/console/impact_page.ts";
import type { ShownImpact } from "../../web/impact_lines.ts";
import type { Done } from "../../web/words/en/records.ts";
import type { HttpContext } from "../context.ts";
import { sendPage } from "../page.ts";
import { destructivePath, endedBy, isOpenTo, isOver } from "./confirmation.ts";
import type { DestructiveChange } from "./presentation.ts";
import { presentations } from "./presentations.ts";
import { confirmedFields, type FormField, removalFields } from "./record_fields.ts";
import { askedFields, filledFrom, placedErrors, readForm, valuesOf } from "./record_form.ts";
import { describerBy, endOfId, referencesIn } from "./record_labels.ts";
import { type ConsolePerson, consolePages, sudoFor } from "./viewer.ts";

/** One way in which a record, or what depends on it, ends. */
interface Ending {
  /** The last step of its address. */
  readonly path: string;
  readonly verb: ImpactPage["verb"];
  readonly done: Done;
  /** The record is gone afterwards. */
  readonly isGone?: true;
  /** Whether the actor may do it. */
  isTheirs(is_platform_admin: boolean): boolean;
  /** Whether there is anything left to do. */
  isOpen(view: PublicView, now: Date): boolean;
  fields(view: PublicView, person: ConsolePerson): FormField[];
  /** Something else than what is stored must be given. */
  readonly asks?: true;
  /** Of all that hangs on the record. */
  ends(impact: ShownImpact): ShownImpact;
  carryOut(admin: AdminContext, record: WritableRecord, input: Input, expected: Expected): Promise<unknown>;
}

export function confirmationRoutes(app: FastifyInstance, resource: Resource, context: HttpContext): void {
  for (const ending of endingsOf(resource)) endingRoute(app, resource, ending, context);
}

function endingsOf(resource: Resource): Ending[] {
  const { resourceType, table } = resource;
  const { destructive = [] } = presentations[resourceType];
  const endings: Ending[] = destructive.map((change) => destructiveEnding(resource, change));
  if (resource.remove !== undefined) {
    endings.push({
      path: "delete",
      verb: "delete",
      done: "deleted",
      isGone: true,
      isTheirs: (is_platform_admin) => is_platform_admin || !isPlatformOnly(table, "remove"),
      isOpen: () => true,
      fields: () => removalFields(resource),
      ends: (impact) => impact,
      carryOut: (admin, record, given, expected) => removeRecord(admin, resource, record, expected, given),
    });
  }
  if (resource.revoke !== undefined) {
    endings.push({
      path: "revoke",
      verb: "revoke",
      done: "revoked",
      isTheirs: () => true,
      isOpen: (view, now) => !isOver(resource, view, now),
      fields: () => [],
      ends: (impact) => impact,
      carryOut: (admin, record, _, expected) => revokeRecord(admin, resource, record, expected),
    });
  }
  return endings;
}

function destructiveEnding(resource: Resource, change: DestructiveChange): Ending {
  const { field, verb, with: beside = [] } = change;
  const isSwitch = change.while !== undefined;
  return {
    path: destructivePath(change),
    verb,
    done: verb === "switch_off" ? "switched_off" : "changed",
    isTheirs: (is_platform_admin) => isOpenTo(resource, change, is_platform_admin),
    isOpen: (view, now) => !isOver(resource, view, now) && (!isSwitch || view[field] === change.while),
    ...(!isSwitch && { asks: true }),
    fields: (view, { signedIn }) =>
      isSwitch ? [] : confirmedFields(resource, [field, ...(view.id === signedIn.user.id ? beside : [])]),
    ends: (impact) => endedBy(impact, change),
    carryOut: (admin, record, input, expected) =>
      updateRecord(admin, resource, record, isSwitch ? { [field]: !change.while } : input, expected),
  };
}

function endingRoute(app: FastifyInstance, resource: Resource, ending: Ending, context: HttpContext): void {
  const pages = consolePages(app, context);
  const { resourceType } = resource;
  const { path, verb, done, isGone } = ending;
  const route = `${resourceTypeHref(resourceType)}/:id/${path}`;

  const answer = async (person: ConsolePerson, request: FastifyRequest, reply: FastifyReply) => {
    const { admin, page, csrf_token, params } = person;
    const record = await requireWritable(admin, resource, person.id);
    const { id, view } = record;
    const href = `${resourceTypeHref(resourceType)}/${id}`;
    if (!ending.isTheirs(page.viewer.is_platform_admin)) {
      throw new Problem("forbidden", detail("not_yours_to_do"));
    }
    if (!ending.isOpen(view, admin.now())) return reply.redirect(href, 303);
    const fields = ending.fields(view, person);
    const labels = await labelsOf(admin, referencesIn(resource, view));
    const describer = describerBy(labels, admin.now(), page.viewer);
    const confirm = typedFor(describer.typed(resource, view), id);
    const stored = filledFrom(fields, valuesOf(view), labels, page.language);

    const show = async (faulty: Partial<ImpactPage>, status: number, { etag } = record) => {
      const impact = ending.ends(await impactOf(admin, resource, id));
      const shown = impactPage({
        ...page,
        resourceType,
        name: describer.name(resource, view),
        verb,
        action: `${href}/${path}`,
        csrf_token,
        etag,
        impact,
        signs_out: resource.signs_out === true,
        limit: impactLimit,
        confirm,
        fields: askedFields(fields, stored),
        errors: [],
        cancel_href: href,
        ...faulty,
      });
      return sendPage(reply, shown, { status });
    };
    if (request.method !== "POST") return show({}, 200);

    const { input, typed, errors: misread } = await readForm(admin, fields, params, stored);
    const missing = fields.filter(({ name, sensitive }) => sensitive && !Object.hasOwn(input, name));
    const errors = {
      ...Object.fromEntries(missing.map(({ name }) => [name, fieldError(`/${name}`, "required")])),
      ...misread,
    };
    const confirm_wrong = confirm !== "" && asRead(params.get("confirm") ?? "") !== asRead(confirm);
    if (confirm_wrong || Object.keys(errors).length > 0) {
      return show({ confirm_wrong, fields: askedFields(fields, typed, errors) }, 422);
    }
    if (ending.asks && Object.keys(input).length === 0) return reply.redirect(`${href}?done=unchanged`, 303);
    try {
      const expected = await inState(admin, resource, params.get("etag") ?? "");
      await ending.carryOut(admin, record, input, expected);
    } catch (error) {
      if (!(error instanceof Problem) || error.status >= 500) throw error;
      const { at, rest } = placedErrors(error, fields);
      const seen = error.code === "stale" ? await requireWritable(admin, resource, id) : record;
      return show({ fields: askedFields(fields, typed, at), errors: rest }, error.status, seen);
    }
    return reply.redirect(`${isGone ? resourceTypeHref(resourceType) : href}?done=${done}`, 303);
  };
  pages.get(route, answer);
  pages.post(route, answer, sudoFor(resourceType));
}

/** What is to be typed: a name that nobody can read stands aside for the end of the id. */
function typedFor(name: string, id: string): string {
  return name !== "" && asRead(name) === "" ? endOfId(id) : name;
}

/**
 * A name is typed as it is read: spaces at its ends, how many there are, and what leaves no mark are not
 * seen.
 */
function asRead(text: string): string {
  const spaced = text.normalize("NFC").replaceAll(/[\s\p{Z}]+/gu, " ");
  return spaced.replaceAll(/\p{C}/gu, "").trim();
}
