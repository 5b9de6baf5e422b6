/** Who may request the token preview, and for which records (OC-3). */
import { mayDo, requireScope } from "../admin/access/access.ts";
import { type AdminContext, permissionsOfActor } from "../admin/access/actor.ts";
import { notFound } from "../admin/access/errors.ts";
import { getRecord } from "../admin/manage/manage.ts";
import { getNamedRecord } from "../admin/manage/named_records.ts";
import { resourceOf } from "../admin/resources/resources.ts";
import { detail } from "../errors/details.ts";
import { type FieldError, fieldError } from "../errors/field_errors.ts";
import { Problem } from "../errors.ts";
import type { AuthorizationServer } from "../oauth/core/server.ts";
import { knowsOrganizations } from "../oauth/organizations/context.ts";
import { mayRequest } from "../oauth/resources/who_may_ask.ts";
import { type PreviewRequest, previewTokens } from "../oauth/token/token_preview.ts";
import type { ApiResource, User } from "../records/definition/definition.ts";
import { isUuid } from "../records/formats/check.ts";
import type { TokenPreview } from "../records/names/token_preview.ts";
import type { ClientRecord } from "../records/rules/client_record.ts";
import type { Member } from "../records/rules/member.ts";

interface PreviewQuestion {
  /** ID or email address. */
  readonly user?: string | undefined;
  /** ID or slug. */
  readonly organization?: string | undefined;
  readonly scope?: string | undefined;
  /** Identifiers or IDs of APIs. */
  readonly resources?: readonly string[];
}

const wrong = (errors: readonly FieldError[]) =>
  new Problem("invalid_filter", detail("wrong_parameter"), errors);

const mostResources = 10;

/**
 * Returns the preview for a caller who may read the app, the user and the membership. Throws 403 `forbidden`,
 * 404 `not_found`, 400 `invalid_filter`.
 */
export async function tokenPreview(
  admin: AdminContext,
  app_id: string,
  { user: named, organization, scope, resources = [] }: PreviewQuestion,
  server: Pick<AuthorizationServer, "issuer" | "settings">,
): Promise<TokenPreview> {
  const { store } = admin;
  const view = await getRecord(admin, resourceOf("apps"), app_id);
  const found = await store.findClientOfApp(String(view.id));
  if (found === undefined) throw notFound("oauth_apps", app_id);
  const client: ClientRecord = { ...found, app: { ...found.app, attributes: readable(view) } };
  const user = named === undefined ? undefined : await userNamed(admin, named);
  const membership = user && (await memberFor(admin, client, user, organization));
  return previewTokens(
    {
      client,
      user,
      ...membership,
      member: membership?.member,
      scopes: scope?.split(" ").filter((name) => name !== ""),
      resources: await apisNamed(admin, client, resources),
    },
    { issuer: server.issuer, settings: server.settings, store },
  );
}

const readable = ({ attributes }: Readonly<Record<string, unknown>>) =>
  (attributes ?? null) as User["attributes"];

/** A user that the caller may not read looks like one that does not exist. */
async function userNamed(admin: AdminContext, named: string): Promise<User> {
  const resource = resourceOf("users");
  const view = await (isUuid(named) ? getRecord : getNamedRecord)(admin, resource, named);
  const user = await admin.store.findUser(String(view.id));
  if (user === undefined) throw notFound("users", named);
  return { ...user, attributes: readable(view) };
}

const mostChoices = 20;

async function memberFor(
  admin: AdminContext,
  { app }: ClientRecord,
  { id }: User,
  organization: string | undefined,
): Promise<Pick<PreviewRequest, "choices" | "is_outsider"> & { readonly member?: Member }> {
  if (!knowsOrganizations(app)) return {};
  const { store } = admin;
  const actorPermissions = await permissionsOfActor(admin);
  for (const permission of ["memberships:read", "organizations:read"] as const)
    requireScope(actorPermissions, permission);
  if (organization === undefined && app.organization_mode === "optional") return {};
  const known =
    organization === undefined
      ? (await store.organizationsOf(id, mostChoices)).map((each) => each.id)
      : [organization];
  const found = await Promise.all(known.map((each) => readableMember(admin, id, each)));
  const [member, ...others] = found.filter((each) => each !== undefined);
  if (member === undefined && known.length === 0) return {};
  if (member === undefined && organization !== undefined) return { is_outsider: true };
  if (member === undefined) throw wrong([fieldError("/organization", "no_record", { record: "membership" })]);
  if (others.length > 0) return { choices: [member, ...others].map((each) => each.organization.slug) };
  const { membership, organization: of } = member;
  return {
    member: {
      ...member,
      membership: {
        ...membership,
        attributes: readable(await getRecord(admin, resourceOf("memberships"), membership.id)),
      },
      organization: {
        ...of,
        attributes: readable(await getRecord(admin, resourceOf("organizations"), of.id)),
      },
    },
  };
}

async function readableMember(admin: AdminContext, user_id: string, organization: string) {
  const member = await admin.store.findMemberIn(user_id, organization);
  const isReadable =
    member !== undefined &&
    (await mayDo(admin, "memberships:read", "memberships", member.membership.id)) &&
    (await mayDo(admin, "organizations:read", "organizations", member.organization.id));
  return isReadable ? member : undefined;
}

async function apisNamed(
  { store }: AdminContext,
  { app }: ClientRecord,
  identifiers: readonly string[],
): Promise<ApiResource[]> {
  if (identifiers.length > mostResources)
    throw wrong([fieldError("/resource", "more_than_quota", { max: mostResources })]);
  const found = await Promise.all(
    identifiers.map((name) =>
      isUuid(name) ? store.find("resources", { id: name.toLowerCase() }) : store.findResource(name),
    ),
  );
  return found.map((resource) => {
    if (resource !== undefined && mayRequest(resource, { app })) return resource;
    throw wrong([fieldError("/resource", "no_record_of_name", { record: "API", field: "identifier" })]);
  });
}
