import type { ChecksWords } from "../en/checks.ts";

export const checksWords: ChecksWords = {
  lead: "Ajustes que funcionan y aun así son arriesgados, los peores primero.",
  clean: "Sin problemas",
  cleanLead: "Los ajustes de esta aplicación siguen las prácticas recomendadas de seguridad de OAuth.",
  unseenSecrets: "No puedes ver los secretos de esta aplicación, así que aquí no se dice nada de ellos.",
  levels: { danger: "Peligro", caution: "Atención", hint: "Conviene saberlo" },
  about: "Afecta a",
  source: "Fuente",
  edit: "Editar la aplicación",
  secrets: "Secretos de la aplicación",
  profile: {
    title: "Requisitos del perfil",
    fits: "La aplicación los cumple todos.",
    lacks: "Falta:",
    demands: {
      authentication_methods:
        "La aplicación se autentica con aserciones firmadas (private_key_jwt) y una clave propia en jwks o en jwks_uri. No tiene secreto y no es pública.",
      pushed_requests: "Envía antes sus peticiones de autorización a /oauth/par.",
      pkce: "Usa PKCE con S256.",
      bound_tokens: "Cada petición lleva una prueba DPoP; sus tokens no sirven sin esa clave.",
      token_algorithms: "Sus tokens se firman con ES256, PS256 o EdDSA; RS256 no se usa.",
      client_algorithms: "Firma aserciones y pruebas con PS256, ES256 o EdDSA, nunca con RS256.",
      issuer_as_audience: "Sus aserciones nombran al emisor como audiencia, y nada más.",
      client_audience: "Sus aserciones de cliente nombran al emisor como única audiencia.",
      longest_code_ttl: "Sus códigos duran 60 segundos como máximo.",
      no_rotation: "Sus tokens de refresco no se rotan.",
      https_redirects: "Sus URI de redirección usan https y ningún host de loopback.",
      redirect_uri_once: "Su petición de tokens puede omitir la URI de redirección.",
    },
  },
  risks: {
    app_revoked: {
      title: "La aplicación fue revocada",
      why: "No obtiene tokens, y nada puede recuperarla.",
      instead: "Registra una aplicación nueva, o borra esta cuando su historial ya no haga falta.",
    },
    app_inactive: {
      title: "La aplicación está desactivada",
      why: "No obtiene tokens, y los que tenía ya no valen.",
      instead: "Actívala cuando haga falta, o bórrala si no la hace.",
    },
    owner_inactive: {
      title: "Su propietario ya no puede iniciar sesión",
      why: "Ningún usuario activo es responsable de la aplicación.",
      instead: "Asígnala a otro usuario; un administrador de la plataforma puede cambiar el propietario.",
    },
    organization_inactive: {
      title: "Su organización está desactivada",
      why: "Ninguna aplicación de una organización inactiva obtiene tokens.",
      instead: "Activa la organización, o pasa la aplicación a otra.",
    },
    http_redirect: {
      title: "Los códigos viajan sin cifrar",
      why: "Con http sin cifrar, cualquiera en la ruta de red puede leer el código en la dirección.",
      instead: "Sirve la URI de redirección por https y quita la de http.",
    },
    wildcard_redirect: {
      title: "Una URI de redirección parece un patrón",
      why: "Las URI de redirección se comparan carácter por carácter: un comodín solo coincide consigo mismo.",
      instead: "Escribe cada dirección completa.",
    },
    scheme_without_dot: {
      title: "Un esquema que cualquier aplicación puede reclamar",
      why: "Otra aplicación del dispositivo también puede registrar un esquema corto y recibir los códigos.",
      instead:
        "Usa una dirección https reclamada, o un esquema hecho con un dominio tuyo, como com.example.app:/cb.",
    },
    private_scheme: {
      title: "Un esquema de uso privado",
      why: "El sistema no prueba a qué aplicación pertenece, así que el consentimiento se pide cada vez.",
      instead:
        "Usa una dirección https reclamada (App Links, Universal Links) donde la plataforma lo permita.",
    },
    localhost_redirect: {
      title: "localhost en lugar de una dirección de bucle local",
      why: "El nombre puede resolverse a otra máquina, y el puerto de la dirección no puede variar.",
      instead: "Registra http://127.0.0.1/… o http://[::1]/…, que valen con cualquier puerto.",
    },
    localhost_any_port: {
      title: "Cualquier puerto de localhost",
      why: "El nombre puede resolverse a otra máquina, y cualquier programa en uno de sus puertos puede recibir el código. Se pide consentimiento cada vez.",
      instead:
        "Usa http://127.0.0.1/… o http://[::1]/…, que valen con cualquier puerto sin ello, y desactiva localhost_any_port.",
    },
    development_redirect: {
      title: "Una dirección de desarrollo junto a las reales",
      why: "Cualquier programa del equipo de una persona puede escuchar ahí y recibir códigos de la aplicación real.",
      instead: "Registra otra aplicación para el desarrollo.",
    },
    redirect_with_query: {
      title: "Una URI de redirección con parámetros",
      why: "Debe enviarse exactamente así, y es fácil abusar de un parámetro suyo como redirección abierta.",
      instead: "Pon en state los datos que deban volver, y registra la dirección sin parámetros.",
    },
    shared_host_redirect: {
      title: "Un dominio donde cualquiera puede tener un nombre",
      why: "Cuando el nombre queda libre, otra persona puede registrarlo y recibir los códigos.",
      instead: "Usa un dominio propio, y quita las direcciones de los nombres liberados.",
    },
    no_redirect_uris: {
      title: "Los usuarios no pueden iniciar sesión",
      why: "El flujo de código está permitido, pero no hay ninguna dirección a la que pueda volver el navegador.",
      instead: "Registra una URI de redirección, o quita la concesión de código de autorización.",
    },
    unused_redirect_uris: {
      title: "URI de redirección que nunca se usan",
      why: "La aplicación no puede usar el flujo de código, así que no tienen efecto.",
      instead: "Quítalas, o permite la concesión de código de autorización.",
    },
    http_post_logout: {
      title: "Al cerrar sesión se vuelve por http sin cifrar",
      why: "Cualquiera que esté en el camino puede mostrar otra página en su lugar.",
      instead: "Pon una dirección https en post_logout_redirect_uris.",
    },
    profile_misfit: {
      title: "La aplicación no cumple su perfil",
      why: "A la aplicación le faltan ajustes que el perfil exige, así que se rechazan sus peticiones.",
      instead: "Corrige los puntos de la lista de arriba o quita el perfil de la aplicación.",
    },
    profile_overrules: {
      title: "Un ajuste que el perfil anula",
      why: "Lo decide el perfil, diga lo que diga la aplicación.",
      instead: "Quítalo para evitar confusiones.",
    },
    unusable_keys: {
      title: "Claves con las que no se puede firmar nada",
      why: "Firman con algoritmos que la aplicación o su perfil no permiten, como RS256.",
      instead: "Quítalas de jwks o regístralas para un algoritmo permitido.",
    },
    http_keys: {
      title: "Claves por http sin cifrar",
      why: "Por http, cualquiera en el camino puede poner sus claves en lugar de las de la aplicación.",
      instead: "Publica las claves por https o regístralas como jwks.",
    },
    keys_missing: {
      title: "La aplicación no tiene clave para firmar",
      why: "La aplicación se autentica con aserciones firmadas, pero no tiene ninguna clave registrada.",
      instead: "Registra sus claves públicas como jwks o la dirección donde las publica.",
    },
    keys_elsewhere: {
      title: "Las claves se publican en otro sitio",
      why: "La dirección de las claves públicas está en otro sitio que las URI de redirección. Quien controla ese sitio puede actuar como la aplicación.",
      instead: "Publica las claves en el sitio de la aplicación o regístralas como jwks.",
    },
    endpoint_as_audience: {
      title: "Aserciones para el endpoint de tokens",
      why: "La RFC 10070 lo prohíbe: otro servidor que copie la dirección puede reutilizar aquí esa aserción.",
      instead: "Haz que la biblioteca envíe el emisor como aud y pon client_assertion_audience a issuer.",
    },
    confidential_in_browser: {
      title: "Un secreto en un navegador",
      why: "Los usuarios pueden leer todo lo que contiene una página del navegador, también el secreto.",
      instead:
        "Haz pública la aplicación, que se apoya en PKCE; o guarda el secreto en un servidor que actúe por la página.",
    },
    confidential_native: {
      title: "Un secreto en una aplicación instalada",
      why: "Cualquier usuario de la aplicación puede extraer el secreto.",
      instead: "Haz pública la aplicación, que se apoya en PKCE.",
    },
    public_web: {
      title: "Una aplicación web sin secreto",
      why: "Una aplicación con servidor puede guardar un secreto, y sin él un refresh token robado no sirve.",
      instead: "Hazla confidencial; o dale el tipo spa si solo se ejecuta en el navegador.",
    },
    public_machine: {
      title: "Una máquina sin secreto",
      why: "El grant client credentials requiere un secreto. Una aplicación pública no tiene ninguno y no obtiene tokens.",
      instead: "Hazla confidencial, o quita la concesión client credentials.",
    },
    pkce_not_required: {
      title: "PKCE no es obligatorio",
      why: "Si la biblioteca de la aplicación no usa PKCE, se canjea un código inyectado por un atacante.",
      instead: "Comprueba que la biblioteca usa PKCE y activa require_pkce.",
    },
    mixed_grants: {
      title: "Personas y máquinas en una sola aplicación",
      why: "Es fácil confundir un token de la propia aplicación con el de una persona.",
      instead: "Registra una aplicación para identificar a personas y otra para client credentials.",
    },
    no_grants: {
      title: "No se permite ninguna concesión",
      why: "La aplicación no puede obtener ningún token.",
      instead: "Permite la concesión que necesita.",
    },
    refresh_alone: {
      title: "Renovar sin iniciar sesión",
      why: "El refresh token viene del flujo de código, que esta aplicación no puede usar.",
      instead: "Quita la concesión de renovación, o permite la de código de autorización.",
    },
    public_without_rotation: {
      title: "El robo de un refresh token pasa inadvertido",
      why: "Una aplicación pública no tiene secreto: solo la rotación delata un refresh token copiado.",
      instead: "Activa la rotación de refresh tokens.",
    },
    rotation_off: {
      title: "La rotación de refresh tokens está desactivada",
      why: "Un refresh token copiado, con el secreto, funciona junto al verdadero hasta que caduca.",
      instead: "Activa la rotación de refresh tokens.",
    },
    strict_rotation: {
      title: "Dos renovaciones a la vez cierran la sesión de la persona",
      why: (figure) =>
        `Si otra pestaña o un reintento repite la renovación en los ${figure} segundos tras la rotación, terminan todos los tokens de ese inicio de sesión.`,
      instead: "Pon metadata.refresh_reuse_window a 30: la renovación repetida recibe la misma respuesta.",
    },
    reuse_window: {
      title: "Los refresh tokens usados se aceptan de nuevo",
      why: (figure) =>
        `Dentro de la ventana de ${figure} segundos, un token copiado recibe la misma respuesta que el verdadero.`,
      instead:
        "Deja metadata.refresh_reuse_window tan corta como permitan las respuestas perdidas, o quítala.",
    },
    long_access_token: {
      title: "Tokens de acceso de larga duración",
      why: (figure) =>
        `Una API que solo comprueba la firma acepta un token robado hasta que caduca: aquí ${figure} segundos, más de una hora.`,
      instead: "Que vivan de 5 a 60 minutos, y renueva.",
    },
    long_refresh_token: {
      title: "Refresh tokens de larga duración",
      why: (figure) =>
        `Quien encuentre uno sin usar en una copia antigua puede usarlo durante ${figure} segundos, más de 90 días.`,
      instead:
        "Pon una duración acorde con el tiempo que los usuarios tardan en volver, por ejemplo de 7 a 30 días.",
    },
    first_party_elsewhere: {
      title: "Se omite el consentimiento para otro sitio",
      why: "La aplicación cuenta como propia, pero los códigos van a un servidor de otro sitio sin preguntar a la persona.",
      instead: "Desactiva first_party, salvo que ese sitio también sea nuestro.",
    },
    first_party_unassured: {
      title: "Se omite el consentimiento para una aplicación que no puede acreditarse",
      why: "Cualquier programa del dispositivo puede usar este client_id y obtiene tokens sin preguntar a la persona.",
      instead: "Desactiva first_party, o usa solo una dirección https reclamada.",
    },
    sign_in_unreachable: {
      title: "El nivel de inicio de sesión exigido es inalcanzable",
      why: "Los usuarios no pueden configurar en este servidor un segundo factor o una llave de acceso, así que vuelven sin código.",
      instead: "Activa lo necesario con POSTERN_EXTRA_SIGN_IN, o haz que require_acr exija menos.",
    },
    no_scopes: {
      title: "No se permite ningún scope",
      why: "Toda solicitud debe nombrar un scope, así que todas las de esta aplicación se rechazan.",
      instead: "Permite los scopes que necesita; openid basta para identificar a personas.",
    },
    management_scopes: {
      title: "Puede administrar este servidor",
      why: "Los tokens de esta aplicación pueden cambiar registros aquí, hasta donde llegan estos scopes.",
      instead: "Deja solo los que necesita, y en una aplicación que no haga nada más.",
    },
    public_management: {
      title: "Una aplicación pública puede administrar este servidor",
      why: "Es posible suplantar a una aplicación sin secreto, y estos scopes pueden cambiar registros aquí.",
      instead: "Pásalos a una aplicación confidencial.",
    },
    unknown_scopes: {
      title: "Pide scopes que no existen",
      why: "Los nombraron solicitudes con openid en los últimos siete días; se pasaron por alto y no se concedieron.",
      instead: "Quítalos de la solicitud de la aplicación o defínelos en una API que pueda pedir.",
    },
    idle_scopes: {
      title: "Scopes permitidos sin efecto",
      why: "Aquí no dan ningún claim, ninguna API los define o los grants de la aplicación no pueden usarlos.",
      instead:
        "Quítalos de allowed_scopes, defínelos en una API o configura lo que necesitan: un grant, organization_mode o claims.",
    },
    introspection_scope: {
      title: "Puede mirar los tokens de otras aplicaciones",
      why: "Con token:introspect puede ver a quién pertenece cada token de su organización.",
      instead: "Concédelo solo a las API que comprueban tokens.",
    },
    resource_unreadable: {
      title: "Recursos que se ignoran",
      why: "El valor no es una cadena ni una lista de cadenas.",
      instead: "Escribe una dirección o una lista de direcciones.",
    },
    resource_not_absolute: {
      title: "Un recurso que no es una URI absoluta",
      why: "Un recurso debe ser una URI absoluta sin fragmento, y las solicitudes de este se rechazan.",
      instead: "Escríbelo completo, por ejemplo https://api.example.com.",
    },
    http_resource: {
      title: "Tokens para una API por http sin cifrar",
      why: "Cualquiera que esté en el camino a la API puede leer el token y usarlo.",
      instead: "Sirve la API por https y registra su dirección https.",
    },
    no_live_secret: {
      title: "No hay ningún secreto vigente",
      why: "Sin secreto, una aplicación confidencial no puede acreditarse y no obtiene tokens.",
      instead: "Crea un secreto, o haz pública la aplicación si se ejecuta en los dispositivos de la gente.",
    },
    many_secrets: {
      title: "Más secretos de los que exige una rotación",
      why: (figure) =>
        `Cada uno de los ${figure} secretos se puede filtrar; bastan dos durante una rotación.`,
      instead: "Revoca los que no se usan.",
    },
    old_secret: {
      title: "Un secreto de más de un año",
      why: "Cuanto más tiempo existe un secreto, más copias hay de él.",
      instead: "Crea uno nuevo, ponlo en su sitio y revoca el antiguo.",
    },
    endless_secret: {
      title: "Un secreto que no caduca nunca",
      why: "Si se filtra, vale para siempre.",
      instead: "Pon caducidad al próximo, y un recordatorio para quien lleva la aplicación.",
    },
    unused_secret: {
      title: "Un secreto sin usar",
      why: "No se ha usado en 90 días, así que su uso indebido apenas se notaría.",
      instead: "Revócalo.",
    },
    expiring_secret: {
      title: "Un secreto está a punto de caducar",
      why: "En menos de 14 días la aplicación ya no podrá acreditarse con él.",
      instead: "Crea uno nuevo ahora y ponlo en su sitio antes de esa fecha.",
    },
  },
};
