#version 330
// One rounded body: a mesh in its own axes, placed by an instance.
in vec3 in_position;
in vec3 in_normal;
in vec3 row_x;      // rotation, table axes from own axes
in vec3 row_y;
in vec3 row_z;
in vec3 shift_mm;
in vec3 scale;
in vec4 paint;      // linear colour; w: layer of the face, -1 for none
in vec4 mark;       // id + 1, own axis that is the upper side's normal

uniform vec3 eye_mm;
uniform mat3 view;  // rows: right, down, forward
uniform vec4 lens;  // focal x, focal y in clip units, near, far
uniform vec4 light_a[2];   // light's own axes: first
uniform vec4 light_b[2];
uniform vec4 light_d[2];
uniform int light_pass;    // -1: the camera, else the light whose depth is drawn

out vec3 own;
out vec3 own_normal;
out vec3 place_mm;
out vec3 normal;
flat out vec4 body_paint;
flat out vec4 body_mark;

void main() {
    own = in_position * scale;
    own_normal = in_normal / scale;
    place_mm = vec3(dot(row_x, own), dot(row_y, own), dot(row_z, own)) + shift_mm;
    normal = vec3(dot(row_x, own_normal), dot(row_y, own_normal), dot(row_z, own_normal));
    body_paint = paint;
    body_mark = mark;
    if (light_pass >= 0) {
        vec4 a = light_a[light_pass], b = light_b[light_pass], d = light_d[light_pass];
        gl_Position = vec4(dot(place_mm, a.xyz) / a.w, dot(place_mm, b.xyz) / b.w,
                           dot(place_mm, d.xyz) / d.w, 1.0);
    } else {
        vec3 p = view * (place_mm - eye_mm);
        float depth = (lens.w + lens.z - 2.0 * lens.w * lens.z / p.z) / (lens.w - lens.z);
        gl_Position = vec4(p.x * lens.x, -p.y * lens.y, depth * p.z, p.z);
    }
}
