import { reason } from "../../../errors/field_errors.ts";
import type { Provider } from "../../../records/definition/definition.ts";
import type { ManifestMember } from "../../manage/planned_record.ts";
import { isStoredSecret, needsSecret, sealedSecret, secretReason } from "../../records/provider_secrets.ts";

/** The secret of the server's client at an external provider, in plain text. */
export const clientSecretMember: ManifestMember<string> = {
  names: ["client_secret"],
  is_quick: true,

  read({ client_secret }, { path, current, whole, context, collector }) {
    const provider = whole as unknown as Provider;
    if (typeof provider.preset !== "string") return undefined;
    if (client_secret === undefined) {
      if (current === undefined && needsSecret(provider)) {
        context.warn?.(
          `${path}.client_secret: is missing; without it, users cannot sign in through the provider`,
        );
      }
      if (current !== undefined && current.preset !== provider.preset)
        collector.add(`${path}.client_secret`, reason("needed_by_preset", provider));
      return undefined;
    }
    const why = secretReason(client_secret, provider);
    if (why !== undefined) collector.add(`${path}.client_secret`, why);
    return why === undefined ? (client_secret as string) : undefined;
  },

  compare: (secret, { id, current, values }, context) => ({
    prepare() {
      if (secret === undefined) return {};
      const stored = current as Provider | undefined;
      if (stored !== undefined && isStoredSecret(context, stored, secret)) return {};
      const provider = { ...stored, ...values } as Provider;
      return {
        values: { client_secret: sealedSecret(context, id, secret, provider) },
        hidden: stored === undefined ? [] : ["client_secret"],
      };
    },
  }),
};
