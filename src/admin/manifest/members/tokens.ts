import { reason } from "../../../errors/field_errors.ts";
import { sealerOf } from "../../access/actor.ts";
import type { ManifestMember } from "../../manage/planned_record.ts";

interface GivenTokens {
  readonly access_token?: string;
  readonly refresh_token?: string | null;
}

const longestToken = 16_384;

const names = ["access_token", "refresh_token"] as const;

/** The provider's tokens of a linked account, in plain text; stored encrypted (spec 2.4). */
export const tokensMember: ManifestMember<GivenTokens> = {
  names,
  is_quick: true,

  read(entry, { path, collector }) {
    const input: { access_token?: string; refresh_token?: string | null } = {};
    for (const name of names) {
      const value = entry[name];
      if (value === undefined) continue;
      if (name === "refresh_token" && value === null) input.refresh_token = null;
      else if (typeof value === "string" && value !== "" && value.isWellFormed()) {
        if (value.length > longestToken)
          collector.add(`${path}.${name}`, reason("too_long", { characters: longestToken }));
        input[name] = value;
      } else collector.add(`${path}.${name}`, reason("not_text"));
    }
    return input;
  },

  compare: (tokens, { id, current }, context) => ({
    prepare() {
      const sealer = sealerOf(context);
      const values: Record<string, unknown> = {};
      const input = current === undefined ? { access_token: "", ...tokens } : { ...tokens };
      for (const [name, token] of Object.entries(input)) {
        const sealed = current?.[name];
        const is = typeof sealed === "string" ? sealer.open("linked_account", sealed, id) : null;
        if (current !== undefined && is === token) continue;
        values[name] = token === null ? null : sealer.seal("linked_account", token, id);
      }
      return { values, hidden: current === undefined ? [] : Object.keys(values) };
    },
  }),
};
