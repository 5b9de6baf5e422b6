import type { FastifyInstance } from "fastify";
import { mayDo } from "../../admin/access/access.ts";
import { type AdminContext, permissionsOfActor } from "../../admin/access/actor.ts";
import { isHeldOff } from "../../admin/access/own_columns.ts";
import { mayRemove } from "../../admin/guards/guards.ts";
import { listRecords } from "../../admin/manage/list_records.ts";
import { getRecord } from "../../admin/manage/manage.ts";
import { spelledVerb } from "../../admin/manage/resource.ts";
import { type Resource, resourceOf } from "../../admin/resources/resources.ts";
import { sendPage } from "../../http/page.ts";
import type { HttpContext } from "../../people/core/http_context.http.ts";
import { fieldsOf } from "../../records/definition/definition.ts";
import type { PublicView } from "../../records/definition/view.ts";
import { membersApart } from "../../records/formats/known_members.ts";
import { destructiveNow, destructivePath, isOver } from "../endings/confirmation.http.ts";
import { maySwitchOn } from "../endings/switch_on.routes.ts";
import type { FieldGroup } from "../fields/field_groups.view.ts";
import { formFields } from "../forms/form_spec.http.ts";
import { type ConsoleLocale, resourceTypeHref } from "../frame/console_frame.view.ts";
import { type ConsolePerson, consolePages } from "../frame/viewer.http.ts";
import { doneIn, isOfferedToCreate } from "../lists/list.routes.ts";
import { isVouchedFor, type Related } from "../presentations/presentation.http.ts";
import { presentations } from "../presentations/presentations.http.ts";
import { columnsFor, describerOf, shownResourceTypes } from "../presentations/record_labels.http.ts";
import { noticesOf } from "../presentations/record_notices.http.ts";
import { endpointButtons } from "./endpoint.routes.ts";
import { noticeButtons } from "./notice_buttons.routes.ts";
import { type RecordButton, type RelatedList, recordPage } from "./record.page.ts";
import { partsOf, tabsOf } from "./record_parts.http.ts";
import { helpFor } from "./user_help.routes.ts";

const relatedLength = 5;

export function showRoutes(app: FastifyInstance, resource: Resource, context: HttpContext): void {
  const pages = consolePages(app, context);
  const { resourceType } = resource;
  pages.get(
    `${resourceTypeHref(resourceType)}/:id`,
    async ({ admin, page, params, csrf_token, id }, _request, reply) => {
      const view = await getRecord(admin, resource, id);
      const open = membersApart(resource.table, view);
      const { groups = [] } = presentations[resourceType];
      const names = shownNames(resourceType, open);
      const related = await relatedLists(admin, resource, view, page);
      const describer = await describerOf(admin, page, [
        [resource, [view]],
        ...related.map((list) => [list.resource, list.data] as const),
      ]);
      const mayWrite = await mayDo(admin, `${resourceType}:write`, resource.table, String(view.id));
      const shown = {
        admin,
        view,
        page,
        server: context.server,
        csrf_token: mayWrite ? csrf_token : undefined,
        reaches_out: context.upstream !== undefined,
      };
      return sendPage(
        reply,
        recordPage({
          ...page,
          resourceType,
          id: String(view.id),
          name: describer.name(resource, view),
          state: describer.state(resource, view),
          held_off: await isHeldOff(admin, resource.table, view),
          fields: describer.fields(resource, open, names),
          folded: foldedFields(resource, open, names, groups),
          notices: noticesOf(resource, view, page.words, context),
          groups,
          tabs: await tabsOf(resourceType, shown),
          parts: await partsOf(resourceType, shown),
          related: related.map(({ resource: of, data, ...list }) => ({
            ...list,
            records: data.map((each) => describer.listed(of, each, list.by)),
          })),
          ...(await actionsOn(admin, resource, view, page, mayWrite)),
          csrf_token,
          buttons: mayWrite ? await buttonsOn({ admin, page }, resource, view, context) : [],
          done: doneIn(params, page.words),
        }),
      );
    },
  );
}

async function buttonsOn(
  person: Pick<ConsolePerson, "admin" | "page">,
  resource: Resource,
  view: PublicView,
  context: HttpContext,
): Promise<readonly RecordButton[]> {
  const { resourceType } = resource;
  const action = `${resourceTypeHref(resourceType)}/${view.id}/switch-on`;
  const isOffered = await maySwitchOn(person, resource, view);
  return [
    ...(isOffered ? [{ action, label: person.page.words.records.switchOn }] : []),
    ...(resourceType === "users" ? await helpFor(person, view, context) : []),
    ...(resourceType === "webhook_endpoints" ? endpointButtons(view, person.page.words) : []),
    ...noticeButtons(resource, view, person.page.words, context),
  ];
}

function shownNames(resourceType: Resource["resourceType"], view: PublicView): string[] {
  const { seldom } = presentations[resourceType];
  return Object.keys(view).filter((name) => view[name] !== null || !seldom?.includes(name));
}

interface FoundRelated extends Omit<RelatedList, "records"> {
  readonly resource: Resource;
  readonly by: string;
  readonly data: readonly PublicView[];
}

async function relatedLists(
  admin: AdminContext,
  { resourceType }: Resource,
  view: PublicView,
  { viewer }: ConsoleLocale,
): Promise<FoundRelated[]> {
  const readable = presentations[resourceType].related.filter(
    (related) =>
      viewer.resourceTypes.has(related.resourceType) && shownResourceTypes.includes(related.resourceType),
  );
  const lists = await Promise.all(readable.map((related) => relatedList(admin, related, view, viewer)));
  return lists.filter((list) => list !== undefined);
}

async function relatedList(
  admin: AdminContext,
  related: Related,
  view: PublicView,
  viewer: ConsoleLocale["viewer"],
): Promise<FoundRelated | undefined> {
  const { resourceType, by, of = "id", prefill = [by, of] } = related;
  const resource = resourceOf(resourceType);
  const value = view[of];
  if (typeof value !== "string") return undefined;
  const { data } = await listRecords(admin, resource, { [by]: value, limit: String(relatedLength) });
  const [field, from] = prefill;
  const isRequested = formFields(resource, viewer.is_platform_admin).some(({ name }) => name === field);
  const create =
    isRequested &&
    !presentations[resourceType].by_others &&
    !isVouchedFor(related, view, viewer.is_platform_admin) &&
    (await isOfferedToCreate(admin, resource, viewer.is_platform_admin))
      ? `${resourceTypeHref(resourceType)}/new?${new URLSearchParams({ [field]: String(view[from]) })}`
      : undefined;
  return {
    resource,
    by,
    data,
    resourceType,
    near_top: related.near_top,
    // All records in this list have the same value in the column `by`.
    columns: columnsFor(resource, viewer, data).filter((column) => column !== by),
    all_href: `${resourceTypeHref(resourceType)}?${new URLSearchParams({ [by]: value })}`,
    create_href: create,
  };
}

async function actionsOn(
  admin: AdminContext,
  resource: Resource,
  view: PublicView,
  { viewer, words }: ConsoleLocale,
  mayWrite: boolean,
) {
  const { resourceType, table } = resource;
  const id = String(view.id);
  const at = `${resourceTypeHref(resourceType)}/${id}`;
  const { actions = [], ending_verbs = [] } = presentations[resourceType];
  const isAdmin = viewer.is_platform_admin;
  const isSelf = admin.actor.kind === "user" && admin.actor.user.id === id;
  const further = await Promise.all(
    actions.map(
      async (action) =>
        action.when?.(view) !== false &&
        !(action.others_only && isSelf) &&
        !isVouchedFor(action, view, isAdmin) &&
        (action.writes === undefined || (await mayDo(admin, `${action.writes}:write`, table, id))),
    ),
  );
  const isOwn = mayRemove(await permissionsOfActor(admin), table, id);
  const isDone = isOver(resource, view, admin.now());
  const destructive = mayWrite && !isDone ? destructiveNow(resource, view, isAdmin) : [];
  return {
    ...(mayWrite && isEditable(resource, view, isAdmin) && { edit_href: `${at}/edit` }),
    ...(mayWrite && resource.revoke !== undefined && !isDone && { revoke_href: `${at}/revoke` }),
    ...(mayWrite && resource.remove !== undefined && isOwn && { delete_href: `${at}/delete` }),
    more: actions.flatMap(({ label, href }, index) =>
      further[index] ? [{ href: href(id), label: words.actions[label] }] : [],
    ),
    destructive: [
      ...(mayWrite && isAdmin && !isSelf
        ? ending_verbs.map(({ verb }) => ({
            href: `${at}/${spelledVerb(verb)}`,
            label: words.records.consequence.act[verb],
          }))
        : []),
      ...destructive.map((change) => ({
        href: `${at}/${destructivePath(change)}`,
        label:
          change.verb === "switch_off"
            ? words.records.consequence.act.switch_off
            : change.label !== undefined
              ? words.actions[change.label]
              : words.actions.changeField(
                  (words.fields.label as Readonly<Record<string, string>>)[change.field] ?? change.field,
                ),
      })),
    ],
  };
}

function isEditable(resource: Resource, view: PublicView, is_platform_admin: boolean): boolean {
  return resource.update !== undefined && formFields(resource, is_platform_admin, view).length > 0;
}

const longestWhole = 8;

/** Fields that are informative even if they are empty: a key never expires, or was never used. */
const saysMoreEmpty = ["expires_at", "last_used_at"];

function foldedFields(
  resource: Resource,
  view: PublicView,
  names: readonly string[],
  groups: readonly FieldGroup[],
): string[] {
  if (names.length <= longestWhole) return [];
  const seldom = groups.filter(({ folded }) => folded).flatMap((group) => group.names);
  return names.filter((name) => seldom.includes(name) || !isSet(resource, name, view[name]));
}

function isSet({ table }: Resource, name: string, value: unknown): boolean {
  if (saysMoreEmpty.includes(name)) return true;
  if (value === null || value === undefined || value === "") return false;
  if (typeof value === "boolean" || typeof value === "number") {
    const fields = fieldsOf(table);
    return !Object.hasOwn(fields, name) || fields[name]?.default !== value;
  }
  return typeof value !== "object" || value instanceof Date || Object.keys(value).length > 0;
}
