import { invitedRoleNames } from "../people/core/pages/invited_roles.view.ts";
import type { ResourceType } from "../records/definition/permissions.ts";
import { type Html, html, type Printable } from "../web/html/html.ts";
import { moment } from "../web/moment.ts";
import { numberText } from "../web/number.ts";
import type { OrganizationProfileWords } from "../web/words/en/organization_profile.ts";
import { eventTitle } from "./fields/event_title.view.ts";
import { type ConsoleLocale, consoleFrame, resourceTypeHref } from "./frame/console_frame.view.ts";
import { plainTable } from "./frame/plain_table.view.ts";

type ProfileMember = {
  id: string;
  /** The member's `role`, then the names of custom and app roles assigned directly. */
  roles: readonly string[];
  group_roles: readonly string[];
  name: string;
  email: string;
  last_login_at: Date | null;
  factors: readonly (keyof OrganizationProfileWords["factors"])[];
  may_assign: boolean;
};

type ProfileRole = {
  id: string;
  name: string;
  holders?: number | undefined;
};

type ProfileInvitation = {
  email: string;
  role: string;
  further_roles: readonly string[];
  expires_at: Date;
};

type Shown = Readonly<Record<string, unknown>>;

/** Lists that the viewer may not see are absent. */
type OrganizationProfilePage = ConsoleLocale & {
  organization: { id: string; name: string; slug: string; logo_url: string | null };
  may_edit: boolean;
  may_write_roles: boolean;
  may_add_providers: boolean;
  members?: readonly ProfileMember[] | undefined;
  invitations?: readonly ProfileInvitation[] | undefined;
  roles?: readonly ProfileRole[] | undefined;
  providers?: readonly Shown[] | undefined;
  events?: readonly Shown[] | undefined;
};

type Link = { href: string; label: string };

function part(title: string, content: Printable, links: readonly (Link | false)[]): Html {
  const shown = links.filter((each): each is Link => each !== false);
  return html`<section class="card"><h2>${title}</h2>
${content}
${shown.length > 0 && html`<div class="actions">${shown.map(({ href, label }) => html`<a class="button small" href="${href}">${label}</a>`)}</div>`}</section>`;
}

const quiet = (text: string) => html`<p class="quiet">${text}</p>`;
const columns = (...labels: readonly string[]) => labels.map((label) => ({ label }));

const smallLink = (href: string, label: string, whole: string) =>
  html`<a class="button small" href="${href}" aria-label="${whole}">${label}</a>`;

const listHref = (resourceType: ResourceType, { id }: { id: string }) =>
  `${resourceTypeHref(resourceType)}?organization_id=${id}`;
const newHref = (resourceType: ResourceType, { id }: { id: string }) =>
  `${resourceTypeHref(resourceType)}/new?organization_id=${id}`;

function memberRow(member: ProfileMember, { words, language }: ConsoleLocale) {
  const {
    id,
    roles: [role = "", ...roles],
    name,
    email,
    last_login_at: last,
    group_roles: through,
  } = member;
  const said = words.organizationProfile;
  const factors = member.factors.map((kind) => said.factors[kind]).join(", ");
  return [
    html`<a href="${resourceTypeHref("memberships")}/${id}"><bdi>${email}</bdi></a><br><bdi class="quiet">${name}</bdi>`,
    html`${invitedRoleNames(role, roles, words.invitation)}${through.length > 0 && html`<br><span class="quiet">${said.throughGroups(through.map((name, index) => html`${index > 0 && ", "}<bdi>${name}</bdi>`))}</span>`}`,
    last ? moment(last, "minute", language) : words.signInMethods.never,
    factors || html`<span class="badge badge-caution">${said.noFactor}</span>`,
    member.may_assign &&
      smallLink(`${resourceTypeHref("memberships")}/${id}/edit`, said.assign, said.assignTo(email)),
  ];
}

function membersPart({ members, invitations, organization, ...page }: OrganizationProfilePage): Html | false {
  if (members === undefined) return false;
  const { words } = page;
  const { label } = words.fields;
  const said = words.organizationProfile;
  const table = plainTable(
    columns(said.member, label.role, label.last_login_at, said.secondFactor, ""),
    members.map((row) => memberRow(row, page)),
  );
  return part(said.members, table, [
    { href: listHref("memberships", organization), label: said.all.members },
    invitations !== undefined && { href: inviteHref(organization), label: words.invite.submit },
  ]);
}

const inviteHref = ({ id }: { id: string }) => `${resourceTypeHref("organizations")}/${id}/invite`;

function invitationsPart({
  invitations,
  organization,
  words,
  language,
}: OrganizationProfilePage): Html | false {
  if (invitations === undefined || invitations.length === 0) return false;
  const { label } = words.fields;
  const rows = invitations.map(({ email, role, further_roles, expires_at }) => [
    html`<bdi>${email}</bdi>`,
    invitedRoleNames(role, further_roles, words.invitation),
    moment(expires_at, "minute", language),
  ]);
  return part(words.invite.open, plainTable(columns(label.email, label.role, label.expires_at), rows), [
    { href: inviteHref(organization), label: words.organizationProfile.all.invitations },
  ]);
}

function rolesPart({
  organization,
  roles,
  may_write_roles,
  words,
  language,
}: OrganizationProfilePage): Html | false {
  if (roles === undefined) return false;
  const said = words.organizationProfile;
  const { edit, delete: remove } = words.records;
  const { one, many } = words.resourceTypes.roles;
  const rows = roles.map(({ id, name, holders }) => {
    const href = `${resourceTypeHref("roles")}/${id}`;
    return [
      html`<a href="${href}"><bdi>${name}</bdi></a>`,
      holders === undefined ? "–" : numberText(holders, language),
      may_write_roles &&
        html`${smallLink(`${href}/edit`, edit, said.editOf(name))} ${smallLink(`${href}/delete`, remove, said.deleteOf(name))}`,
    ];
  });
  const table = plainTable([{ label: one }, { label: said.holders, number: true }, { label: "" }], rows);
  return part(many, rows.length === 0 ? quiet(said.none.roles) : table, [
    rows.length > 0 && { href: listHref("roles", organization), label: said.all.roles },
    may_write_roles && { href: newHref("roles", organization), label: said.add.roles },
  ]);
}

function providersPart({
  organization,
  providers,
  may_add_providers,
  words,
}: OrganizationProfilePage): Html | false {
  if (providers === undefined) return false;
  const said = words.organizationProfile;
  const names = providers.map(
    ({ id, label }) =>
      html`<li><a href="${resourceTypeHref("providers")}/${String(id)}"><bdi>${String(label)}</bdi></a></li>`,
  );
  const content = names.length === 0 ? quiet(said.none.providers) : html`<ul>${names}</ul>`;
  return part(words.resourceTypes.providers.many, content, [
    names.length > 0 && { href: listHref("providers", organization), label: said.all.providers },
    may_add_providers && { href: newHref("providers", organization), label: said.add.providers },
  ]);
}

function settingsPart({ organization, may_edit, words }: OrganizationProfilePage): Html {
  const said = words.organizationProfile;
  const { name, slug, logo_url } = organization;
  const { label } = words.fields;
  const facts = [
    [label.name, html`<bdi>${name}</bdi>`],
    [label.slug, html`<code>${slug}</code>`],
    [label.logo_url, logo_url === null ? "–" : html`<code>${logo_url}</code>`],
  ] as const;
  const href = `${resourceTypeHref("organizations")}/${organization.id}`;
  return part(
    said.settings,
    html`<dl class="facts spelled">${facts.map(([title, value]) => html`<div><dt>${title}</dt><dd>${value}</dd></div>`)}</dl>
<p class="quiet">${said.settingsLead}</p>`,
    [may_edit ? { href: `${href}/edit`, label: said.edit } : { href, label: said.open }],
  );
}

function activityPart({ events, organization, words, language }: OrganizationProfilePage): Html | false {
  if (events === undefined) return false;
  const said = words.organizationProfile;
  const rows = events.map(({ id, type, created_at }) => [
    html`<a href="${resourceTypeHref("audit_events")}/${String(id)}">${eventTitle(String(type), words) ?? String(type)}</a>`,
    moment(new Date(String(created_at)), "minute", language),
  ]);
  const content =
    rows.length === 0 ? quiet(said.none.events) : plainTable(columns(said.event, said.when), rows);
  return part(words.console.sections.activity, content, [
    { href: listHref("audit_events", organization), label: said.all.events },
  ]);
}

/** Renders the profile of an organization, the start page of its administrators. */
export function organizationProfilePage(page: OrganizationProfilePage): Html {
  const { organization, words } = page;
  return consoleFrame({
    ...page,
    title: organization.name,
    lead: words.organizationProfile.lead,
    here: "profile",
    body: html`${membersPart(page)}
${invitationsPart(page)}
${rolesPart(page)}
${providersPart(page)}
${settingsPart(page)}
${activityPart(page)}`,
  });
}
