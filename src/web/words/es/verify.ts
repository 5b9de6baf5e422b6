import type { VerifyWords } from "../en/verify.ts";

export const verifyWords: VerifyWords = {
  title: "Cómo verificar un token",
  lead: "Un token vale si lo firma este servidor, es para esta API, no ha caducado y tiene el ámbito que la llamada necesita.",
  kinds: {
    jose: "JavaScript con jose",
    fastapi: "Python con FastAPI y PyJWT",
    go: "Go con go-oidc",
    spring: "Java con Spring Security",
    dotnet: ".NET con ASP.NET Core",
    introspection: "Una terminal con curl: introspección",
  },
  hints: {
    program:
      "Comprueba la firma, el emisor, la audiencia y el tiempo, y el ámbito donde el programa nombra uno. Un token revocado pasa hasta que caduca.",
    jose: "La API verifica el token por sí misma y solo descarga las claves públicas. Un token revocado pasa hasta que caduca. Responde 401 cuando lanza un error, y 403 cuando falta el ámbito.",
    introspection:
      "Este servidor verifica el token y conoce los revocados. Acepta el token solo si la respuesta dice active: true, nombra esta API en aud y tiene el ámbito que la llamada necesita.",
  },
  noApp:
    "La introspección necesita el secreto de una aplicación que esta API nombre. Todavía no nombra ninguna con secreto.",
  bound:
    "Esta API solo acepta tokens ligados a una clave: también hay que comprobar la prueba de la cabecera DPoP (RFC 9449, sección 4.3). Si no, un token robado funciona. La función validateJwtAccessToken de oauth4webapi comprueba token y prueba.",
  comments: {
    keys: "Las claves públicas: se descargan cuando hacen falta y se guardan.",
    verify: "Lanza un error si el token no es para esta API o no tiene el ámbito:",
    scope: "Lo que el token permite.",
    proof: "La huella de la clave del cliente: con ella debe estar firmada la prueba de la cabecera DPoP.",
    secret: "El archivo donde está OAUTH_CLIENT_SECRET.",
    token: "El token de acceso, tal como lo envió quien llama.",
  },
};
