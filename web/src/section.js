// What a plane cuts out of the tets of a body: triangles with the values of a field at their corners.

import { BufferAttribute, BufferGeometry, DynamicDrawUsage } from "three";

export class Section {
  // beyond: the share by which tets are larger than they are, for bodies whose surface reaches outside of them.
  constructor(beyond = 0) {
    Object.assign(this, { beyond, geometry: new BufferGeometry(), count: 0 });
    this.reserve(64);
  }

  reserve(triangles) {
    this.room = triangles;
    for (const [name, size] of [["position", 3], ["uv", 2]]) {
      const array = new Float32Array(3 * size * triangles);
      array.set(this.geometry.attributes[name]?.array ?? []);
      this.geometry.deleteAttribute(name);
      this.geometry.setAttribute(name, new BufferAttribute(array, size).setUsage(DynamicDrawUsage));
    }
  }

  // tets: four node numbers each; x: places of the nodes; values: 0 … 255 at them; heights: how far they are from the plane.
  update(tets, x, values, heights) {
    const [grow, h] = [1 + this.beyond, [0, 0, 0, 0]];
    this.count = 0;
    for (let i = 0; i < tets.length; i += 4) {
      let middle = 0;
      for (let k = 0; k < 4; k++) middle += 0.25 * (h[k] = heights[tets[i + k]]);
      let below = 0;
      for (let k = 0; k < 4; k++) if ((h[k] = middle + grow * (h[k] - middle)) < 0) below++;
      if (below === 0 || below === 4) continue;
      const [a, b, c, d] = [0, 1, 2, 3].sort((p, q) => h[p] - h[q]);
      const corners = this.corners(tets.subarray(i, i + 4), x, values);
      if (below === 1) this.add(corners, h, [a, b, a, c, a, d]);
      else if (below === 3) this.add(corners, h, [a, d, b, d, c, d]);
      else {
        this.add(corners, h, [a, c, a, d, b, d]);
        this.add(corners, h, [a, c, b, d, b, c]);
      }
    }
    this.geometry.setDrawRange(0, 3 * this.count);
    this.geometry.attributes.position.needsUpdate = this.geometry.attributes.uv.needsUpdate = true;
  }

  // Place and value of each node of a tet, away from their mean by as much as it is larger.
  corners(tet, x, values) {
    const all = Array.from(tet, (n) => [x[3 * n], x[3 * n + 1], x[3 * n + 2], values[n] / 255]);
    if (!this.beyond) return all;
    const mean = [0, 1, 2, 3].map((c) => 0.25 * (all[0][c] + all[1][c] + all[2][c] + all[3][c]));
    return all.map((corner) => corner.map((value, c) => mean[c] + (1 + this.beyond) * (value - mean[c])));
  }

  add(corners, h, ends) {
    if (this.count === this.room) this.reserve(2 * this.room);
    const [position, uv] = [this.geometry.attributes.position.array, this.geometry.attributes.uv.array];
    for (let k = 0; k < 3; k++) {
      const [p, q, row] = [ends[2 * k], ends[2 * k + 1], 3 * this.count + k];
      const along = h[p] / (h[p] - h[q]);
      const between = (c) => corners[p][c] + along * (corners[q][c] - corners[p][c]);
      for (let c = 0; c < 3; c++) position[3 * row + c] = between(c);
      uv[2 * row] = Math.min(Math.max(between(3), 0), 1);
    }
    this.count++;
  }

  // The value, 0 … 1, at a point of the plane, which is across that axis; null where no tet is.
  at(point, axis) {
    const [position, uv] = [this.geometry.attributes.position.array, this.geometry.attributes.uv.array];
    const [u, v] = [(axis + 1) % 3, (axis + 2) % 3];
    const [x, y] = [point.getComponent(u), point.getComponent(v)];
    for (let i = 0; i < this.count; i++) {
      const corner = (k) => [position[9 * i + 3 * k + u], position[9 * i + 3 * k + v]];
      const [[ax, ay], [bx, by], [cx, cy]] = [corner(0), corner(1), corner(2)];
      const area = (bx - ax) * (cy - ay) - (by - ay) * (cx - ax);
      const second = ((x - ax) * (cy - ay) - (y - ay) * (cx - ax)) / area;
      const third = ((bx - ax) * (y - ay) - (by - ay) * (x - ax)) / area;
      if (!(second >= -1e-6 && third >= -1e-6 && second + third <= 1 + 1e-6)) continue;
      return uv[6 * i] * (1 - second - third) + uv[6 * i + 2] * second + uv[6 * i + 4] * third;
    }
    return null;
  }
}
