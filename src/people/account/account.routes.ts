/** `/account`: the user's own data and settings. */
import type { FastifyInstance } from "fastify";
import { ownPasskeyRoutes } from "../authenticators/passkeys/own_passkey.routes.ts";
import { changePasswordRoutes } from "../authenticators/password/change_password.routes.ts";
import { cancelRecoveryRoutes } from "../authenticators/recovery/cancel_recovery.routes.ts";
import { lostPasskeyRoutes } from "../authenticators/recovery/lost_passkey.routes.ts";
import { recoveryCodeRoutes } from "../authenticators/recovery_codes/recovery_code.routes.ts";
import { authenticatorAppRoutes } from "../authenticators/totp/authenticator_app.routes.ts";
import type { HttpContext } from "../core/http_context.http.ts";
import { connectedAppRoutes } from "./connected_app.routes.ts";
import { ownEmailRoutes } from "./email/own_email.routes.ts";
import { undoEmailRoutes } from "./email/undo_email.routes.ts";
import { disownRoutes } from "./endings/disown.routes.ts";
import { ownDeletionRoutes } from "./endings/own_deletion.routes.ts";
import { secureAccountRoutes } from "./endings/secure_account.routes.ts";
import { linkedAccountRoutes } from "./linked_account.routes.ts";
import { ownApiKeyRoutes } from "./own_api_key.routes.ts";
import { ownDataRoutes } from "./own_data.routes.ts";
import { ownOrganizationRoutes } from "./own_organization.routes.ts";
import { profileRoutes } from "./profile.routes.ts";
import { securityRoutes } from "./security.routes.ts";
import { sessionRoutes } from "./session.routes.ts";
import { sudoReturnRoutes } from "./sudo_return.routes.ts";

export function accountRoutes(app: FastifyInstance, context: HttpContext): void {
  profileRoutes(app, context);
  ownEmailRoutes(app, context);
  ownDataRoutes(app, context);
  ownDeletionRoutes(app, context);
  undoEmailRoutes(app, context);
  securityRoutes(app, context);
  authenticatorAppRoutes(app, context);
  recoveryCodeRoutes(app, context);
  disownRoutes(app, context);
  cancelRecoveryRoutes(app, context);
  lostPasskeyRoutes(app, context);
  ownPasskeyRoutes(app, context);
  changePasswordRoutes(app, context);
  sessionRoutes(app, context);
  secureAccountRoutes(app);
  connectedAppRoutes(app, context);
  linkedAccountRoutes(app, context);
  sudoReturnRoutes(app, context);
  ownApiKeyRoutes(app, context);
  ownOrganizationRoutes(app, context);
}
