#version 330
// Light on tiles, cloth, wood and skin: two lamps with soft shadows, a sky, gloss and a window.
in vec3 own;
in vec3 own_normal;
in vec3 place_mm;
in vec3 normal;
flat in vec4 body_paint;
flat in vec4 body_mark;

uniform int kind;              // 0 tile, 1 plain body, 2 cloth, 3 id picture, 4 depth
uniform vec3 eye_mm;
uniform sampler2DArray faces;
uniform sampler2D cloth;
uniform sampler2DShadow shadow_0;
uniform sampler2DShadow shadow_1;
uniform vec4 light_a[2];
uniform vec4 light_b[2];
uniform vec4 light_d[2];
uniform vec3 light_colour[2];
uniform float light_soft[2];   // radius of the penumbra in parts of the shadow picture
uniform vec3 sky;
uniform vec3 bounce;
uniform vec4 window;           // direction of a bright window, w: its half width as a cosine
uniform vec4 falloff;          // xy: how light changes over the table per mm, z: gloss, w: window's strength
uniform vec3 tile_mm;          // width, height, thickness
uniform vec3 back_colour;
uniform vec4 body;             // share of the thickness that is back, relief, wear, cloth's texture scale in mm
out vec4 colour;

float lit(int lamp) {
    vec4 a = light_a[lamp], b = light_b[lamp], d = light_d[lamp];
    vec3 at = vec3(dot(place_mm, a.xyz) / a.w, dot(place_mm, b.xyz) / b.w, dot(place_mm, d.xyz) / d.w) * 0.5 + 0.5;
    at.z -= 0.0022;
    float sum = 0.0;
    for (int i = 0; i <= 1; ++i)
        for (int j = 0; j <= 1; ++j) {
            vec3 tap = at + vec3((vec2(i, j) * 1.5 - 0.75) * light_soft[lamp], 0.0);
            sum += lamp == 0 ? texture(shadow_0, tap) : texture(shadow_1, tap);
        }
    return sum / 4.0;
}

void main() {
    if (kind == 4) { colour = vec4(1.0); return; }
    vec3 n = normalize(normal);
    vec3 to_eye = normalize(eye_mm - place_mm);
    if (kind == 3) {
        float upper = dot(normalize(own_normal), body_mark.yzw) > 0.6 ? 1.0 : 0.0;
        float id = body_mark.x;
        colour = vec4(mod(id, 256.0) / 255.0, floor(id / 256.0) / 255.0, upper, 1.0);
        return;
    }
    vec3 base = body_paint.rgb;
    float gloss = falloff.z;
    if (kind == 0) {
        vec3 m = normalize(own_normal);
        float depth = own.z / tile_mm.z + 0.5;    // 0 at the back, 1 at the face
        float split = smoothstep(body.x - 0.012, body.x + 0.012, depth);
        base = mix(back_colour, body_paint.rgb, split);
        if (m.z > 0.35 && body_paint.w >= 0.0) {
            vec2 uv = own.xy / tile_mm.xy + 0.5;
            vec4 ink = texture(faces, vec3(uv, body_paint.w));
            float edge = smoothstep(0.35, 0.75, m.z);
            base = mix(base, ink.rgb, ink.a * edge);
            float e = 0.012;
            float right = texture(faces, vec3(uv + vec2(e, 0.0), body_paint.w)).a;
            float below = texture(faces, vec3(uv + vec2(0.0, e), body_paint.w)).a;
            vec3 tip = vec3(right - ink.a, below - ink.a, 0.0) * body.y;
            n = normalize(n + tip);
        }
    } else if (kind == 2) {
        vec3 grain = texture(cloth, place_mm.xy / body.w).rgb;
        base *= grain;
        gloss *= 0.08;
    } else {
        gloss *= 0.4;
    }
    float light = max(0.15, 1.0 + dot(falloff.xy, place_mm.xy));
    vec3 sum = mix(bounce, sky, n.z * 0.5 + 0.5) * mix(0.75, 1.0, smoothstep(0.0, 25.0, place_mm.z));
    vec3 shine = vec3(0.0);
    for (int i = 0; i < 2; ++i) {
        vec3 to_lamp = -light_d[i].xyz;
        float facing = max(dot(n, to_lamp), 0.0);
        if (facing <= 0.0) continue;
        float seen = lit(i);
        sum += light_colour[i] * facing * seen;
        float s = max(dot(n, normalize(to_lamp + to_eye)), 0.0);
        shine += light_colour[i] * seen * pow(s, 90.0) * gloss;
    }
    vec3 mirror = reflect(-to_eye, n);
    shine += falloff.w * gloss * smoothstep(window.w, window.w + 0.03, dot(mirror, window.xyz)) * vec3(1.0);
    colour = vec4(pow(clamp(base * sum * light + shine, 0.0, 1.0), vec3(1.0 / 2.2)), 1.0);
}
