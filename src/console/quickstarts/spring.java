package com.example.demo;

import java.net.URI;
import org.springframework.beans.factory.annotation.Value;
import org.springframework.boot.SpringApplication;
import org.springframework.boot.autoconfigure.SpringBootApplication;
import org.springframework.context.annotation.Bean;
import org.springframework.security.config.annotation.web.builders.HttpSecurity;
import org.springframework.security.core.annotation.AuthenticationPrincipal;
import org.springframework.security.oauth2.client.oidc.web.logout.OidcClientInitiatedLogoutSuccessHandler;
import org.springframework.security.oauth2.client.registration.ClientRegistrationRepository;
import org.springframework.security.oauth2.core.oidc.user.OidcUser;
import org.springframework.security.web.SecurityFilterChain;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.RestController;

@SpringBootApplication
@RestController
public class DemoApplication {
    public static void main(String[] arguments) {
        SpringApplication.run(DemoApplication.class, arguments);
    }

    @Bean
    SecurityFilterChain security(
        HttpSecurity http,
        ClientRegistrationRepository clients,
        @Value("${OAUTH_REDIRECT_URI}") URI redirectUri,
        @Value("${OAUTH_POST_LOGOUT_REDIRECT_URI:}") String returnsTo
    ) throws Exception {
        var signOut = new OidcClientInitiatedLogoutSuccessHandler(clients);
        if (!returnsTo.isEmpty()) signOut.setPostLogoutRedirectUri(returnsTo);
        return http
            .authorizeHttpRequests(requests -> requests.anyRequest().authenticated())
            .oauth2Login(login -> login.redirectionEndpoint(endpoint -> endpoint.baseUri(redirectUri.getPath())))
            .logout(logout -> logout.logoutSuccessHandler(signOut))
            .build();
    }

    @GetMapping(value = "/", produces = "text/plain;charset=UTF-8")
    String home(@AuthenticationPrincipal OidcUser user) {
        return "Signed in as " + (user.getFullName() == null ? user.getSubject() : user.getFullName());
    }
}
