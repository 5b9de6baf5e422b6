import { UserManager, WebStorageStateStore } from "oidc-client-ts";

const users = new UserManager({
  authority: "http://localhost:3000",
  client_id: "browser-example",
  redirect_uri: "http://localhost:8080/",
  post_logout_redirect_uri: "http://localhost:8080/index.html",
  scope: "openid profile email",
  userStore: new WebStorageStateStore({ store: sessionStorage }),
});

const answer = new URLSearchParams(location.search);
if (answer.has("code") || answer.has("error")) {
  await users.signinCallback();
  history.replaceState({}, "", location.pathname);
}

const user = await users.getUser();
const isSignedIn = user !== null && !user.expired;
const find = (id) => document.getElementById(id);
find("who").textContent = isSignedIn ? `Signed in as ${user.profile.name ?? user.profile.sub}` : "Signed out";
find("sign-in").hidden = isSignedIn;
find("sign-out").hidden = !isSignedIn;
find("sign-in").onclick = () => users.signinRedirect();
find("sign-out").onclick = () => users.signoutRedirect();
