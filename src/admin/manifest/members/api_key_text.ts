import { apiKeyHash, apiKeyText } from "../../../crypto/api_keys.ts";
import { prefixOf } from "../../../crypto/credentials.ts";
import type { ManifestMember } from "../../manage/planned_record.ts";

/** Generates the text of a new API key, which is never in a file. */
export const apiKeyTextMember: ManifestMember<never> = {
  names: [],
  read: () => undefined,
  compare: (_, { label, current, values }) => ({
    prepare(_memory, at) {
      if (current !== undefined) return {};
      const key = apiKeyText(at);
      return {
        values: { key_prefix: prefixOf(key), key_hash: apiKeyHash(key) },
        made: values.revoked === true ? undefined : [label, key],
      };
    },
  }),
};
