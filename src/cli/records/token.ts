import type { Command } from "commander";
import type { TokenPreview } from "../../records/names/token_preview.ts";
import { tokenPreviewWords } from "../../web/words/en/token_preview.ts";
import { chosenPlace } from "../core/chosen_place.ts";
import { isSettingGiven } from "../core/setting_options.ts";
import { type Options, print, type Terminal } from "../core/terminal.ts";
import { warnOn } from "../core/warnings.ts";
import { optionOfPath, withServer } from "../server/with_server.ts";
import { recordCommand } from "./record_command.ts";

export async function tokenCommand(program: Command, terminal: Terminal): Promise<void> {
  const group = await recordCommand(program, terminal, { name: "token", resourceType: "tokens" });
  group.description(`${group.description()}, preview`);

  group
    .command("preview")
    .description(
      "show the claims that tokens of an app would have, and why others are absent; issues nothing",
    )
    .requiredOption("--app <client-id>", "the app")
    .option("--user <email>", "the user; without it, the app requests the token for itself")
    .option("--organization <slug>", "the organization that the tokens are for")
    .option(
      "--scope <scopes>",
      "requested scopes, separated by spaces (default: all that the app may request)",
    )
    .option("--resource <uris>", "identifiers of requested APIs, separated by spaces")
    .action(async (_: unknown, command: Command) => {
      const options: Options = command.optsWithGlobals();
      const { app, user, organization, scope, resource } = options;
      await withServer(
        terminal,
        options,
        async (server) => {
          const asked = Object.entries({ user, organization, scope, resource });
          const query = Object.fromEntries(asked.filter(([, value]) => typeof value === "string"));
          const id = await server.idOf("oauth_apps", String(app));
          const preview = await server.call<TokenPreview>("GET", ["apps", id, "token-preview"], {
            query: query as Readonly<Record<string, string>>,
            holds: "claims",
          });
          const isIssuerAssumed =
            chosenPlace(options, terminal).kind === "database" &&
            !isSettingGiven("POSTERN_BASE_URL", options, terminal.env);
          if (isIssuerAssumed)
            warnOn(terminal)("POSTERN_BASE_URL is not set in this shell: the server may have another issuer");
          print(terminal, options, preview, previewText(preview));
        },
        { named: optionOfPath },
      );
    });
}

function previewText(preview: TokenPreview): string {
  const { scopes, refused_scopes, audience, claims, not_issued, organizations = [] } = preview;
  const refused = refused_scopes.length === 0 ? [] : [`refused scopes: ${refused_scopes.join(" ")}`];
  if (not_issued !== undefined) return [tokenPreviewWords.notIssued[not_issued], ...organizations].join(" ");
  const parts = Object.entries(claims).map(([surface, lines]) => [
    "",
    `${surface}:`,
    ...lines.map(({ claim, value, absent, set_at_issue, source, scopes: releasing = [] }) => {
      const by = [source, ...releasing].join(" ");
      if (set_at_issue) return `  ${claim} set at issue (${by})`;
      return absent === undefined
        ? `  ${claim} = ${JSON.stringify(value)} (${by})`
        : `  ${claim} absent: ${absent.replaceAll("_", " ")} (${by})`;
    }),
  ]);
  return [`scopes: ${scopes.join(" ")}`, ...refused, `audience: ${audience.join(" ")}`, ...parts.flat()].join(
    "\n",
  );
}
