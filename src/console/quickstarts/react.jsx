import { createRoot } from "react-dom/client";
import { AuthProvider, useAuth } from "react-oidc-context";

const settings = {
  authority: "http://localhost:3000",
  client_id: "browser-example",
  redirect_uri: "http://localhost:8080/",
  post_logout_redirect_uri: "http://localhost:8080/index.html",
  scope: "openid profile email",
  onSigninCallback: () => history.replaceState({}, "", location.pathname),
};

function App() {
  const auth = useAuth();
  if (auth.isLoading) return <p>…</p>;
  if (auth.error) return <p>{auth.error.message}</p>;
  if (!auth.isAuthenticated)
    return (
      <button type="button" onClick={() => auth.signinRedirect()}>
        Sign in
      </button>
    );
  return (
    <p>
      Signed in as {auth.user.profile.name}{" "}
      <button type="button" onClick={() => auth.signoutRedirect()}>
        Sign out
      </button>
    </p>
  );
}

createRoot(document.getElementById("root")).render(
  <AuthProvider {...settings}>
    <App />
  </AuthProvider>,
);
