const { OAUTH_ISSUER, OAUTH_CLIENT_ID, OAUTH_CLIENT_SECRET, OAUTH_SCOPE } = process.env;

export const authOptions = {
  providers: [
    {
      id: "postern",
      name: "Postern",
      type: "oauth",
      wellKnown: `${OAUTH_ISSUER}/.well-known/openid-configuration`,
      clientId: OAUTH_CLIENT_ID,
      clientSecret: OAUTH_CLIENT_SECRET,
      authorization: { params: { scope: OAUTH_SCOPE } },
      checks: ["pkce", "state", "nonce"],
      idToken: true,
      profile: ({ sub, name, email }) => ({ id: sub, name, email }),
    },
  ],
  callbacks: {
    // Signing out requires the id_token, which identifies the session.
    jwt: ({ token, account }) => (account ? { ...token, id_token: account.id_token } : token),
  },
};
