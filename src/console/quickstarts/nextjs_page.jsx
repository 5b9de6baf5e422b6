import { getServerSession } from "next-auth";
import { authOptions } from "../auth";

export default async function Page() {
  const session = await getServerSession(authOptions);
  if (session === null) return <a href="/api/auth/signin/postern">Sign in</a>;
  return (
    <p>
      Signed in as {session.user.name} · <a href="/logout">Sign out</a>
    </p>
  );
}
