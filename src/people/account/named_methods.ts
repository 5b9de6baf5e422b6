import type { Session } from "../../records/definition/definition.ts";
import { type MethodKind, methodsOf } from "../../records/names/sign_in_methods.ts";
import type { IdentityContext } from "../core/context/context.ts";

interface NamedMethod {
  readonly kind: MethodKind;
  readonly label: string | undefined;
}

/** Returns the methods of a session, each once, and those at a provider with its label. */
export async function namedMethods(
  session: Session,
  { store }: Pick<IdentityContext, "store">,
): Promise<readonly NamedMethod[]> {
  const all = await Promise.all(
    methodsOf(session).map(async ({ kind, credential }): Promise<NamedMethod> => {
      if (kind !== "provider" || credential === null) return { kind, label: undefined };
      const link = await store.find("oauth_accounts", { id: credential });
      const provider =
        link?.provider_id == null ? undefined : await store.find("providers", { id: link.provider_id });
      return { kind, label: provider?.label };
    }),
  );
  return [...new Map(all.map((method) => [`${method.kind} ${method.label}`, method])).values()];
}
