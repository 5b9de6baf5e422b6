import jwt
from fastapi import Depends, FastAPI, HTTPException
from fastapi.security import HTTPBearer

keys = jwt.PyJWKClient("http://localhost:3000/.well-known/jwks.json")
bearer = HTTPBearer()


def claims_with(scope: str):
    def claims(credentials=Depends(bearer)):
        token = credentials.credentials
        try:
            if jwt.get_unverified_header(token).get("typ") != "at+jwt":
                raise jwt.InvalidTokenError("not an access token")
            claims = jwt.decode(
                token,
                keys.get_signing_key_from_jwt(token),
                algorithms=["RS256"],
                issuer="http://localhost:3000",
                audience="https://api.example.com",
                options={"require": ["exp", "sub", "client_id"]},
            )
        except (jwt.InvalidTokenError, jwt.PyJWKClientError) as error:
            raise HTTPException(401, "invalid_token", {"WWW-Authenticate": "Bearer"}) from error
        if scope not in claims.get("scope", "").split():
            raise HTTPException(403, "insufficient_scope")
        return claims

    return claims


app = FastAPI()


@app.get("/")
def home(claims=Depends(claims_with("read"))):
    return {"sub": claims["sub"]}
