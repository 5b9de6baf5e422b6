import type { ManifestMember } from "../../manage/planned_record.ts";
import { type PasswordInput, passwordHash, passwordInputError } from "../../records/password_input.ts";

/** The password of a user, in the clear or as a hash that was made elsewhere. */
export const passwordMember: ManifestMember<PasswordInput> = {
  names: ["password"],

  read({ password }, { path, collector }) {
    const why = password === undefined ? undefined : passwordInputError(password);
    if (why !== undefined) collector.add(`${path}.password`, why);
    return password as PasswordInput | undefined;
  },

  compare(password, { current }, context) {
    const stored = typeof current?.password_hash === "string" ? current.password_hash : undefined;
    const isText = typeof password === "string";
    return {
      pairs: isText && stored !== undefined ? [{ hash: stored, value: password }] : [],
      async prepare(memory) {
        if (password === undefined) return {};
        if (stored !== undefined) {
          const isSame = isText ? await memory.verify(stored, password) : password.argon2id === stored;
          if (isSame && isText) memory.note({ hash: stored, value: password });
          if (isSame) return {};
        }
        const password_hash = await passwordHash(password, context);
        if (isText) memory.note({ hash: password_hash, value: password });
        return { values: { password_hash }, hidden: ["password"] };
      },
    };
  },
};
