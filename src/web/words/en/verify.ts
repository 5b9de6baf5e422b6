export const verifyWords = {
  title: "How to verify a token",
  lead: "A valid token is signed by this server, issued for this API and not expired, and it has the scope that the call needs.",
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
      "Checks signature, issuer, audience and expiry, and the scope if the program names one. A revoked token is accepted until it expires.",
    jose: "The API verifies the token itself and fetches only the public keys. A revoked token is accepted until it expires. Return 401 if it throws, and 403 if the scope is missing.",
    introspection:
      "This server verifies the token and knows if it is revoked. Accept the token only if the response says active: true, names this API in aud, and has the scope that the call needs.",
  },
  noApp: "Introspection needs the secret of one of the apps of this API. None of them has a secret yet.",
  bound:
    "This API accepts only bound tokens: the proof in the DPoP header must be checked as well (RFC 9449, section 4.3). Otherwise a stolen token works. The function validateJwtAccessToken of oauth4webapi checks token and proof.",
  comments: {
    keys: "The public keys: fetched when needed, then cached.",
    verify: "Throws unless the token is for this API and has the scope:",
    scope: "What the token allows.",
    proof: "The thumbprint of the client's key: the proof in the DPoP header must be signed by it.",
    secret: "The file that contains OAUTH_CLIENT_SECRET.",
    token: "The access token, as the caller sent it.",
  },
};

export type VerifyWords = typeof verifyWords;
