/** Invitations, settings, counts and the mail for a new password, as OpenAPI 3.1 says them. */
import { periods } from "../admin/reports/dashboard.ts";
import { resourceOf } from "../admin/resources/resources.ts";
import type { Permission } from "../records/definition/permissions.ts";
import { roles } from "../records/names/names.ts";
import { statisticKinds } from "../records/names/statistics.ts";
import {
  headerRef,
  type Json,
  type JsonSchema,
  type Operation,
  type Parameter,
  type PathItem,
  parameterRef,
  schemaRef,
} from "./operation.ts";
import { always, content, listSchema, operation, refusals } from "./operation_parts.ts";
import { exampleFor, pendingSchema } from "./schemas.ts";
import { exposedSettings } from "./server_routes.ts";

const id = "019a9f6e-7c00-7a4b-8c3d-2f1e0d9c8b7a";

const invitation = pendingSchema({ when: "", noun: "invitation", table: "invitations" });

const invitationId: Parameter = {
  name: "invitation_id",
  in: "path",
  required: true,
  description: "The invitation's id",
  schema: { type: "string", format: "uuid" },
};

const newInvitation: JsonSchema = {
  type: "object",
  required: ["email", "role"],
  additionalProperties: false,
  properties: {
    email: { type: "string", format: "idn-email", maxLength: 320, description: "Whom it is for" },
    role: { type: "string", enum: roles, description: "The role they will have" },
  },
};

type Described = Partial<Operation> & Pick<Operation, "operationId" | "summary" | "responses">;

/** An operation that stands with a resource type, under a permission of it. */
const under = (permission: Permission, described: Described) =>
  operation(resourceOf(permission.startsWith("users") ? "users" : "memberships"), permission, described);

const invitationPath = "/api/v1/organizations/{id}/invitations";

const invites = (described: Described) => under("memberships:write", described);
const replayed = { "Idempotency-Replayed": headerRef("IdempotencyReplayed") };
const acts = { parameters: [parameterRef("Id"), invitationId, parameterRef("IdempotencyKey")] };

const invitationPaths: Readonly<Record<string, PathItem>> = {
  [invitationPath]: {
    get: invites({
      operationId: "listInvitations",
      summary: "List the open invitations of an organization",
      description: "The newest first, 100 at most.",
      parameters: [parameterRef("Id")],
      responses: {
        "200": {
          description: "The open invitations",
          content: content(listSchema("Invitation"), {
            data: [exampleFor(invitation)],
            next_cursor: null,
            previous_cursor: null,
          }),
        },
        ...refusals([...always, 404, 414]),
      },
    }),
    post: invites({
      operationId: "createInvitation",
      summary: "Invite a person into an organization",
      description:
        "The person with the address is sent a link by mail, which is in no answer, and is a member once they accept. An older invitation of the same address ends. For people: an API key of an organization invites nobody.",
      parameters: [parameterRef("Id"), parameterRef("IdempotencyKey")],
      requestBody: {
        required: true,
        content: content(newInvitation, { email: "grace@example.com", role: "developer" }),
      },
      responses: {
        "201": {
          description: "The invitation",
          headers: replayed,
          content: content(schemaRef("Invitation"), exampleFor(invitation)),
        },
        ...refusals([...always, 404, 409, 413, 414, 415, 422]),
      },
    }),
  },
  [`${invitationPath}/{invitation_id}/revoke`]: {
    post: invites({
      operationId: "revokeInvitation",
      summary: "Revoke an invitation",
      description: "Its link works no more.",
      ...acts,
      responses: {
        "204": { description: "It is gone", headers: replayed },
        ...refusals([...always, 404, 409, 413, 414, 415, 422]),
      },
    }),
  },
  [`${invitationPath}/{invitation_id}/send-again`]: {
    post: invites({
      operationId: "sendInvitationAgain",
      summary: "Send an invitation again",
      description: "With a new link; the answer is the invitation that takes the place of the old one.",
      ...acts,
      responses: {
        "200": {
          description: "The invitation there is now",
          headers: replayed,
          content: content(schemaRef("Invitation"), exampleFor(invitation)),
        },
        ...refusals([...always, 404, 409, 413, 414, 415, 422]),
      },
    }),
  },
};

const figure: JsonSchema = {
  type: "object",
  required: ["count", "before", "change"],
  properties: {
    count: { type: "integer", description: "In the last 24 hours" },
    before: { type: "integer", description: "In the 24 hours before those" },
    change: {
      type: ["number", "null"],
      description: "How much more (0.5 is half as much again) or less; null where there were too few to say",
    },
  },
};

const statisticsSchema: JsonSchema = {
  type: "object",
  required: ["period", "organization_id", "moments", "counts", "last_24_hours", "apps"],
  properties: {
    period: { type: "string", enum: periods },
    organization_id: {
      type: ["string", "null"],
      format: "uuid",
      description: "Null: all that the caller may read",
    },
    moments: {
      type: "array",
      description: "When each step began, the oldest first",
      items: { type: "string", format: "date-time" },
    },
    counts: {
      type: "object",
      description: "One count for each moment, by what is counted; what the caller may not read is absent",
      properties: Object.fromEntries(
        statisticKinds.map((kind) => [kind, { type: "array", items: { type: "integer" } }]),
      ),
    },
    last_24_hours: {
      type: "object",
      properties: { tokens: figure, refusals: figure, sign_ins: figure, sign_in_failures: figure },
      required: ["tokens"],
    },
    apps: {
      type: "array",
      description: "The busiest apps of the period",
      items: {
        type: "object",
        required: ["id", "name", "client_id"],
        properties: {
          id: { type: "string", format: "uuid" },
          name: { type: "string" },
          client_id: { type: "string" },
          tokens: { type: "integer", description: "Issued to it in the period" },
        },
      },
    },
  },
};

const text = { type: ["string", "null"] };

const serverSchema: JsonSchema = {
  type: "object",
  required: ["issuer", "version", "brand", "sends_mail", "settings"],
  properties: {
    issuer: { type: "string" },
    version: { type: "string" },
    brand: {
      type: "object",
      description: "Of pages that are no organization's; an organization's own is in its settings.brand",
      properties: { name: text, logo_url: text, accent: text },
      required: ["name", "logo_url", "accent"],
    },
    sends_mail: { type: "boolean" },
    settings: {
      type: "object",
      description: "As the variables of the environment are called, in lower case; null is the default",
      properties: Object.fromEntries(exposedSettings.map((name) => [name, {}])),
    },
  },
};

const ofServer: Json = { tags: ["server"], security: [{ bearer: [] }, { session: [] }] };

const serverPathsAlone: Readonly<Record<string, PathItem>> = {
  "/api/v1/server": {
    get: {
      ...(ofServer as Pick<Operation, "tags">),
      operationId: "getServer",
      summary: "Read the settings of the server",
      description:
        "For platform administrators whose credential reads everything (postern:read). No setting that holds a secret is told, and none is changed here: they are set where the server is started.",
      responses: {
        "200": {
          description: "The server",
          content: content(serverSchema, {
            issuer: "https://id.example",
            version: "0.3.0",
            brand: { name: "Acme", logo_url: null, accent: "#0e6655" },
            sends_mail: true,
            settings: { sign_up: "closed" },
          }),
        },
        ...refusals(always),
      },
    },
  },
  "/api/v1/statistics": statisticsPath("getStatistics", {
    summary: "Read how much is going on",
    description:
      "Counts of the server for platform administrators, of their organizations for others. Needs the permission tokens:read; refusals and sign-ins are there for callers who may read those.",
  }),
  "/api/v1/organizations/{id}/statistics": statisticsPath("getStatisticsOfOrganization", {
    summary: "Read how much is going on in an organization",
    description: "Needs the permission tokens:read there; refusals are there for callers who may read those.",
    parameters: [parameterRef("Id")],
  }),
};

function statisticsPath(
  operationId: string,
  { parameters = [], ...of }: Pick<Operation, "summary" | "description" | "parameters">,
): PathItem {
  return {
    get: {
      ...(ofServer as Pick<Operation, "tags">),
      operationId,
      ...of,
      parameters: [
        ...(parameters ?? []),
        {
          name: "period",
          in: "query",
          description: "day: by the hour; week: in quarters of a day; month: by the day. Without it: day",
          schema: { type: "string", enum: periods },
        },
      ],
      responses: {
        "200": {
          description: "The counts",
          content: content(statisticsSchema, {
            period: "day",
            organization_id: null,
            moments: ["2026-11-20T12:00:00.000Z"],
            counts: { tokens_code: [12] },
            last_24_hours: { tokens: { count: 12, before: 10, change: null } },
            apps: [{ id, name: "Shop", client_id: "web-app", tokens: 12 }],
          }),
        },
        ...refusals([...always, ...(parameters?.length === 0 ? [] : [404, 414])]),
      },
    },
  };
}

const resetPaths: Readonly<Record<string, PathItem>> = {
  "/api/v1/users/{id}/send-password-reset": {
    post: under("users:write", {
      operationId: "sendPasswordReset",
      summary: "Send a user a link for a new password",
      description:
        "For platform administrators. The mail is that of the page for forgotten passwords, in the language in which the user last signed in. The link is in no answer.",
      parameters: [parameterRef("Id")],
      responses: {
        "202": {
          description: "The mail is on its way",
          content: content(
            {
              type: "object",
              required: ["user_id", "expires_in"],
              properties: {
                user_id: { type: "string", format: "uuid" },
                expires_in: { type: "integer", description: "Seconds for which the link works" },
              },
            },
            { user_id: id, expires_in: 1800 },
          ),
        },
        ...refusals([...always, 404, 409, 413, 414, 415, 422]),
      },
    }),
  },
  "/api/v1/users/{id}/export-data": {
    post: under("users:write", {
      operationId: "exportDataOfUser",
      summary: "Export what is kept of a user",
      description:
        "For platform administrators whose credential reads everything. All rows that are the user's own, without secrets; the audit notes it.",
      parameters: [parameterRef("Id")],
      responses: {
        "200": {
          description: "The file that the user may have of themselves",
          content: content(
            {
              type: "object",
              required: ["version", "exported_at", "records"],
              properties: {
                version: { type: "integer" },
                exported_at: { type: "string", format: "date-time" },
                records: { type: "object", description: "Rows by the kind of record" },
              },
            },
            { version: 1, exported_at: "2026-11-20T12:00:00.000Z", records: { users: [] } },
          ),
        },
        ...refusals([...always, 404, 409, 413, 414, 415, 422]),
      },
    }),
  },
};

/** The paths of what is of the server, and of invitations. */
export const serverPaths: Readonly<Record<string, PathItem>> = {
  ...serverPathsAlone,
  ...invitationPaths,
  ...resetPaths,
};
