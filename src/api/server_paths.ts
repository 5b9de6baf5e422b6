import { periods } from "../admin/reports/dashboard.ts";
import { resourceOf } from "../admin/resources/resources.ts";
import { type Permission, scopeOf } from "../records/definition/permissions.ts";
import { roles } from "../records/names/names.ts";
import { returnedKinds } from "../records/names/statistics.ts";
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
import { always, content, idParameter, operation, operationOf, refusals } from "./operation_parts.ts";
import { exampleFor, pendingSchema } from "./schemas.ts";
import { exposedSettings } from "./server_routes.ts";

const id = "019a9f6e-7c00-7a4b-8c3d-2f1e0d9c8b7a";

const invitation = pendingSchema({ when: "", noun: "invitation", table: "invitations" });

const invitationId: Parameter = {
  name: "invitation_id",
  in: "path",
  required: true,
  description: "ID of the invitation",
  schema: { type: "string", format: "uuid" },
};

const roleNames = (meaning: string): JsonSchema => ({
  type: "array",
  items: { type: "string" },
  maxItems: 100,
  description: `The person's ${meaning}`,
});

/** All open invitations fit on one page. */
const noPage: JsonSchema = { type: ["string", "null"], description: "Always null" };
const invitationsSchema: JsonSchema = {
  type: "object",
  required: ["data", "next_cursor", "previous_cursor"],
  properties: {
    data: { type: "array", items: schemaRef("Invitation") },
    next_cursor: noPage,
    previous_cursor: noPage,
  },
};

const newInvitation: JsonSchema = {
  type: "object",
  required: ["email", "role"],
  additionalProperties: false,
  properties: {
    email: {
      type: "string",
      format: "idn-email",
      maxLength: 320,
      description: "Email address of the invited person",
    },
    role: { type: "string", enum: roles, description: "Role that the person will have" },
    role_ids: roleNames("additional roles, each by its ID or name. Default: none"),
    app_role_ids: roleNames("app roles, each by its ID or as API-identifier#role-name. Default: none"),
  },
};

type Described = Partial<Operation> & Pick<Operation, "operationId" | "summary" | "responses">;

const under = (permission: Permission, described: Described) =>
  operation(resourceOf(permission.startsWith("users") ? "users" : "memberships"), permission, described);

const invitationPath = "/api/v1/organizations/{id}/invitations";

const invites = (described: Described) => under("memberships:write", described);
const replayed = { "Idempotency-Replayed": headerRef("IdempotencyReplayed") };
const acts = { parameters: [idParameter("organization"), invitationId, parameterRef("IdempotencyKey")] };

const invitationPaths: Readonly<Record<string, PathItem>> = {
  [invitationPath]: {
    get: operationOf(["memberships"], [scopeOf("memberships:read"), scopeOf("memberships:write")], {
      operationId: "listInvitations",
      summary: "List the open invitations of an organization",
      description:
        "Returns at most 100 invitations, newest first. Requires the permissions `memberships:read` and `memberships:write`. A token or API key also needs the scopes `postern:memberships:read` and `postern:memberships:write`, or broader ones.",
      parameters: [idParameter("organization")],
      responses: {
        "200": {
          description: "The open invitations",
          content: content(invitationsSchema, {
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
      summary: "Invite a person to an organization",
      description:
        "Sends the person a link by email; no response contains the link. The person becomes a member by accepting the invitation. An earlier invitation to the same email address is revoked. Only users may invite; service accounts and API keys of organizations may not.",
      parameters: [idParameter("organization"), parameterRef("IdempotencyKey")],
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
      description: "The link in the invitation stops working.",
      ...acts,
      responses: {
        "204": { description: "The invitation was revoked", headers: replayed },
        ...refusals([...always, 404, 409, 413, 414, 415, 422]),
      },
    }),
  },
  [`${invitationPath}/{invitation_id}/send-again`]: {
    post: invites({
      operationId: "sendInvitationAgain",
      summary: "Send an invitation again",
      description: "Emails a new link. The new invitation replaces the old one, whose link stops working.",
      ...acts,
      responses: {
        "200": {
          description: "The new invitation",
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
    count: { type: "integer", description: "Count in the current hour and the 23 hours before it" },
    before: { type: "integer", description: "Count in the 24 hours before the period of `count`" },
    change: {
      type: ["number", "null"],
      description:
        "Change from the day before: 0.5 is 50% more, -0.5 is 50% less; null if `before` is too small to compare",
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
      description: "Organization whose events are counted; null if the counts are not limited to one",
    },
    moments: {
      type: "array",
      description: "Start of each interval, oldest first",
      items: { type: "string", format: "date-time" },
    },
    counts: {
      type: "object",
      description:
        "For each kind of event, one count per interval. `tokens_code`: tokens issued for authorization codes. `tokens_refresh`: for refresh tokens. `tokens_machine`: for client_credentials and JWT assertions. Kinds that the caller may not read are absent",
      properties: Object.fromEntries(
        returnedKinds.map((kind) => [kind, { type: "array", items: { type: "integer" } }]),
      ),
    },
    last_24_hours: {
      type: "object",
      properties: { tokens: figure, refusals: figure, sign_ins: figure, sign_in_failures: figure },
      required: ["tokens"],
    },
    apps: {
      type: "array",
      description:
        "The apps that received the most tokens in the period, at most 8; apps that the caller may not read are absent",
      items: {
        type: "object",
        required: ["id", "name", "client_id"],
        properties: {
          id: { type: "string", format: "uuid" },
          name: { type: "string" },
          client_id: { type: "string" },
          tokens: { type: "integer", description: "Tokens issued to the app in the period" },
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
      description: "Brand of the server's pages; an organization's own brand is in its `settings.brand`",
      properties: { name: text, logo_url: text, accent: text },
      required: ["name", "logo_url", "accent"],
    },
    sends_mail: { type: "boolean" },
    settings: {
      type: "object",
      description:
        "Values of settings, each under the name of its environment variable, in lowercase and without POSTERN_",
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
      summary: "Get the server settings",
      description:
        "Only platform administrators may read the settings. A token or API key also needs the scope `postern:read`. Secret settings are not returned.",
      responses: {
        "200": {
          description: "The server settings",
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
    summary: "Get usage statistics",
    description:
      "Platform administrators get the counts of the whole server. Other callers get the counts of the organizations in which they have the permission `tokens:read`. If there are more than 10, only the first by name is counted. Counts of refusals require the permission `refusals:read`. Counts of sign-ins require a platform administrator with the permission `audit_events:read`.",
  }),
  "/api/v1/organizations/{id}/statistics": statisticsPath("getStatisticsOfOrganization", {
    summary: "Get usage statistics of an organization",
    description:
      "Requires the permission `tokens:read` in the organization. Counts of refusals require the permission `refusals:read`.",
    parameters: [idParameter("organization")],
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
          description:
            "Period. `day`: 24 intervals of one hour. `week`: 28 of six hours. `month`: 30 of one day. The last interval contains the current time. Default: day",
          schema: { type: "string", enum: periods },
        },
      ],
      responses: {
        "200": {
          description: "The statistics",
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
      summary: "Email a password reset link to a user",
      description:
        "Sends the same email as the forgotten-password page. No response contains the link. Only platform administrators may do this.",
      parameters: [idParameter("user")],
      responses: {
        "202": {
          description: "The email will be sent",
          content: content(
            {
              type: "object",
              required: ["user_id", "expires_in"],
              properties: {
                user_id: { type: "string", format: "uuid" },
                expires_in: { type: "integer", description: "Lifetime of the link in seconds" },
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
      summary: "Export a user's data",
      description:
        "Returns all records that belong to the user, without secrets. The export is recorded in the audit log. Only platform administrators may do this. A token or API key also needs the scope `postern:read`.",
      parameters: [idParameter("user")],
      responses: {
        "200": {
          description: "The user's data, as in the file that the user can download",
          content: content(
            {
              type: "object",
              required: ["version", "exported_at", "records"],
              properties: {
                version: { type: "integer" },
                exported_at: { type: "string", format: "date-time" },
                records: {
                  type: "object",
                  description: "Records of the user, by table, such as `oauth_accounts`",
                },
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

export const serverPaths: Readonly<Record<string, PathItem>> = {
  ...serverPathsAlone,
  ...invitationPaths,
  ...resetPaths,
};
