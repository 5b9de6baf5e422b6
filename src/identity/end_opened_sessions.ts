import type { Session, User } from "../records/definition.ts";
import { methodsOf, type SignInMethod, toldAuthentication } from "../records/sign_in_methods.ts";
import type { IdentityContext } from "./context.ts";

/**
 * Ends every session that rests on a credential that was removed (PK-11). The session `here` goes on where
 * it rests on another proof as well, and holds that one alone from then on. Whether it goes on.
 */
export async function endOpenedSessions(
  credential: string,
  user: Pick<User, "id">,
  here: Pick<Session, "id">,
  { store, now }: IdentityContext,
): Promise<"goes_on" | "ended"> {
  const isOther = (method: SignInMethod) => method.credential !== credential;
  let ended_here = false;
  for (const session of await store.list("sessions", { user_id: user.id, ended_at: null })) {
    const methods = methodsOf(session);
    const others = methods.filter(isOther);
    if (others.length === methods.length) continue;
    const told = toldAuthentication(others);
    if (session.id === here.id && told !== undefined) {
      await store.update("sessions", { id: session.id }, { methods: others, acr: told.acr });
    } else {
      await store.endSession(session.id, now());
      ended_here ||= session.id === here.id;
    }
  }
  return ended_here ? "ended" : "goes_on";
}
