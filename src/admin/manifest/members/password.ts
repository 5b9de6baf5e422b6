import { shortestBy } from "../../../crypto/password_rules.ts";
import type { User } from "../../../records/definition/definition.ts";
import type { ManifestMember } from "../../manage/planned_record.ts";
import {
  isSameForeignHash,
  type PasswordInput,
  passwordHash,
  passwordInputError,
} from "../../records/password_input.ts";

export const passwordMember: ManifestMember<PasswordInput> = {
  names: ["password"],

  read({ password }, { path, collector, context }) {
    const shortest = shortestBy(context.switches);
    const why = password === undefined ? undefined : passwordInputError(password, shortest);
    if (why !== undefined) collector.add(`${path}.password`, why);
    return password as PasswordInput | undefined;
  },

  async compare(password, { current }, context) {
    const user = current as User | undefined;
    const stored = user && (await context.store.storedPassword(user));
    const isText = typeof password === "string";
    return {
      pairs: isText && stored !== undefined ? [{ hash: stored.text, value: password }] : [],
      async prepare(memory) {
        if (password === undefined) return {};
        if (stored !== undefined) {
          const isSame = isText
            ? await memory.verify(stored.text, password)
            : "hash" in password
              ? // If there is no scheme, a sign-in since the import has replaced the foreign hash.
                stored.scheme === undefined || (await isSameForeignHash(password.hash, stored.text, context))
              : password.argon2id === stored.text;
          if (isSame && isText) memory.note({ hash: stored.text, value: password });
          if (isSame) return {};
        }
        const password_hash = await passwordHash(password, context);
        if (isText) memory.note({ hash: password_hash, value: password });
        return { values: { password_hash }, hidden: ["password"] };
      },
    };
  },
};
