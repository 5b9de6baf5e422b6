import { omissible, oneOf, optional, text } from "../../records/definition/field.ts";
import { resource } from "../manage/resource.ts";
import { clientSecretMember } from "../manifest/members/client_secret.ts";
import { refusingProviders } from "../manifest/members/refused_providers.ts";
import { keepLinks, retireProvider } from "../records/provider_links.ts";
import {
  createProvider,
  deleteProvider,
  draftProvider,
  draftProviderChange,
  updateProvider,
} from "../records/providers.ts";
import { created, equal, search } from "./filters.ts";

const client_secret = text(
  "this server's client secret at the provider or, for apple, its private key in PEM; stored encrypted and never returned",
  { sensitive: true, not_empty: true },
);

export const providers = resource("providers", {
  filters: [
    ...equal("providers", "slug", "preset", "organization_id", "active"),
    search("slug or label"),
    ...created,
  ],
  columns: ["slug", "label", "preset", "active", "id"],
  input: {
    create: { client_secret: omissible(client_secret) },
    update: { client_secret: optional(client_secret) },
    remove: {
      links: omissible(
        oneOf("with `delete`, the provider's linked accounts are deleted, too; required if there are any", [
          "delete",
        ]),
      ),
    },
  },
  made_when_absent: { label: "the name of the preset" },
  manifest: {
    members: [clientSecretMember],
    draft: draftProvider,
    change: draftProviderChange,
    ...refusingProviders,
    also: keepLinks,
    remove: (tx, row, at, context) => retireProvider(tx, context, row, at),
  },
  create: async (context, input) => ({ row: await createProvider(context, input) }),
  update: updateProvider,
  remove: (context, id, expected, { links } = {}) =>
    deleteProvider(context, id, links === "delete", expected),
});
