import type { FastifyInstance } from "fastify";
import { Problem } from "../../errors.ts";
import { sendPage } from "../../http/page.ts";
import { tokenPreview } from "../../http/token_preview.ts";
import type { HttpContext } from "../../people/core/http_context.http.ts";
import type { TokenPreview } from "../../records/names/token_preview.ts";
import { idMeant } from "../forms/natural_names.http.ts";
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
    let not_found: keyof PreviewForm | undefined;
    if (typed.app !== "") {
      try {
        const meant = await idMeant(admin, "oauth_apps", typed.app);
        const question = {
          user: given(typed.user),
          organization: given(typed.organization),
          scope: given(typed.scope),
          resources: typed.resource.split(" ").filter((uri) => uri !== ""),
        };
        if ("id" in meant) preview = await tokenPreview(admin, meant.id, question, context.server);
        else not_found = "app";
      } catch (error) {
        // A record that the viewer may not see is reported like one that does not exist.
        if (!(error instanceof Problem) || error.status >= 500) throw error;
        not_found = fieldOf(error);
      }
    }
    const status = not_found === undefined ? 200 : 404;
    return sendPage(reply, tokenPreviewPage({ ...page, typed, preview, not_found }), { status });
  });
}

function fieldOf({ detail, errors }: Problem): keyof PreviewForm {
  const named = errors[0]?.path.slice(1);
  const isApp = detail.code === "not_found" && detail.params.record === "app";
  return names.find((name) => name === named) ?? (isApp ? "app" : "user");
}
