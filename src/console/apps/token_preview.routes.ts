/** Previews the claims of a token: a form that names app, user, organization, scopes and APIs. */
import type { FastifyInstance } from "fastify";
import { resourceOf } from "../../admin/resources/resources.ts";
import { Problem } from "../../errors.ts";
import { sendPage } from "../../http/page.ts";
import { tokenPreview } from "../../http/token_preview.ts";
import type { HttpContext } from "../../people/core/http_context.http.ts";
import { isUuid } from "../../records/formats/check.ts";
import type { TokenPreview } from "../../records/names/token_preview.ts";
import { tokenPreviewPath } from "../frame/console_frame.view.ts";
import { consolePages } from "../frame/viewer.http.ts";
import { type PreviewForm, tokenPreviewPage } from "./token_preview.page.ts";

const names = ["app", "user", "organization", "scope", "resource"] as const;

export function tokenPreviewRoutes(app: FastifyInstance, context: HttpContext): void {
  const pages = consolePages(app, context);
  pages.get(tokenPreviewPath, async ({ admin, page, params }, _request, reply) => {
    const typed = Object.fromEntries(
      names.map((name) => [name, (params.get(name) ?? "").trim()]),
    ) as PreviewForm;
    const given = (text: string) => (text === "" ? undefined : text);
    let preview: TokenPreview | undefined;
    let not_found = false;
    if (typed.app !== "") {
      try {
        const where = isUuid(typed.app) ? { id: typed.app.toLowerCase() } : { client_id: typed.app };
        const found = await admin.store.find(resourceOf("apps").table as "oauth_apps", where);
        const question = {
          user: given(typed.user),
          organization: given(typed.organization),
          scope: given(typed.scope),
          resources: typed.resource.split(" ").filter((uri) => uri !== ""),
        };
        if (found !== undefined) preview = await tokenPreview(admin, found.id, question, context.server);
        not_found = found === undefined;
      } catch (error) {
        // Records that the viewer may not see look like missing ones.
        if (!(error instanceof Problem) || error.status >= 500) throw error;
        not_found = true;
      }
    }
    const status = not_found ? 404 : 200;
    return sendPage(reply, tokenPreviewPage({ ...page, typed, preview, not_found }), { status });
  });
}
