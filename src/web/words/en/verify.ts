/** How an API verifies the tokens that it is called with. */
export const verifyWords = {
  title: "How to verify a token",
  lead: "A good token is signed by this server, meant for this API and not expired, and it has the scope that the call needs.",
  kinds: {
    jose: "JavaScript with jose",
    fastapi: "Python with FastAPI and PyJWT",
    go: "Go with go-oidc",
    spring: "Java with Spring Security",
    dotnet: ".NET with ASP.NET Core",
    introspection: "A shell with curl: introspection",
  },
  hints: {
    program:
      "Signature, issuer, audience and time are checked, and the scope where the program names one. A revoked token passes until it expires.",
    jose: "The API verifies the token itself and fetches nothing but the public keys. A revoked token passes until it expires. Answer 401 where it throws, and 403 where the scope is missing.",
    introspection:
      "This server verifies the token, and knows of revoked ones. Take the token only if the answer says active: true, names this API in aud, and has the scope that the call needs.",
  },
  noApp: "Introspection takes the secret of an app that this API names. It names none with a secret yet.",
  bound:
    "This API takes bound tokens alone: the proof in the header DPoP must be checked too (RFC 9449, section 4.3). Otherwise a stolen token works. The function validateJwtAccessToken of oauth4webapi checks token and proof.",
  comments: {
    keys: "The public keys: fetched when they are needed, and kept.",
    verify: "Throws unless the token is for this API and has the scope:",
    scope: "What the token allows.",
    proof: "The thumbprint of the client's key: the proof in the header DPoP must be signed by it.",
    secret: "The file that contains OAUTH_CLIENT_SECRET.",
    token: "The access token, as the caller sent it.",
  },
};

export type VerifyWords = typeof verifyWords;
