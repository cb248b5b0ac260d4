"""Ray-cast pictures of signed distances."""

from __future__ import annotations

import numpy as np

from ..errors import InputError
from ..geometry.distance.mesh_distance import from_mesh
from ..geometry.distance.sdf import Sdf, upload
from ..geometry.distance.sdf_codes import GRID
from ..geometry.distance.volume import Volume
from ..geometry.distance.volume_distance import from_volume
from ..geometry.mesh.mesh import TriMesh
from ..runtime.device import Device
from ..runtime.kernel_structs import filled
from ..simulate.record.run import Run
from .colours import colour as colours
from .frames import checked_view
from .raster.depth_buffer import fitted, looking
from .raster.frame_shapes import surface_places
from .raster.raycast_kernels import raycast_kernels, shapes_struct
from .render_looks import RayCast
from .surface_pictures import BACK, HALF, check_size

CLOSE = 1e-3  # of the picture's reach: a ray this near has met the surface


class RayRenderer:
    """Camera and lights for the signed distances of a run's bodies, a solid or a volume; like a ``SurfaceRenderer``."""

    colour = None  # one hue per body

    def __init__(
        self, thing: Run | Sdf | Volume, frames: np.ndarray, size: tuple[int, int], view: tuple[float, float], look: RayCast,
        samples: int,
    ):  # fmt: skip
        check_size(size, samples)
        self.thing, self.look, self.size, self.samples = thing, look, size, samples
        self.device = Device("cpu", "f32")
        if (look.level is not None or look.label is not None) and not isinstance(thing, Volume):
            raise InputError(f"RayCast(level=…, label=…) is for a Volume, not for a {type(thing).__name__}; leave them out")
        if isinstance(thing, Run):
            some = np.unique(frames[np.linspace(0, len(frames) - 1, min(len(frames), 16)).astype(int)])
            points = np.concatenate([surface_places(thing.moment(int(f))) for f in some])
        else:
            self.solid = from_volume(thing, look.label, look.level) if isinstance(thing, Volume) else thing
            if not np.all(np.isfinite(self.solid.bounds)):
                raise InputError("this shape has no end, so no picture holds it; cut it with a box first")
            points = np.stack(np.meshgrid(*self.solid.bounds.T, indexing="ij"), axis=-1).reshape(-1, 3)
        axes = looking(checked_view(view))
        width, height = size
        self.reach = 0.5 * float(np.linalg.norm(np.ptp(points, axis=0)))
        self.camera = fitted(points, axes, HALF, (HALF * width / height * 0.88, HALF * 0.84), 0.0)
        right, up, forward = axes
        self.sun = -0.45 * right + 0.75 * up - 0.5 * forward
        self.sun /= np.linalg.norm(self.sun)

    def _shapes(self, frame: int) -> list[Sdf]:
        if not isinstance(self.thing, Run):
            return [self.solid]
        moment, look, shapes = self.thing.moment(frame), self.look, []
        x = moment.x
        for skin in moment.skins:
            if skin.solid is not None:
                shapes.append(skin.solid.sdf(x[skin.start : skin.stop], look.advection, look.spacing))
            elif skin.meshed:
                shapes.append(from_mesh(TriMesh(skin.of(x), skin.triangles), look.spacing))
            else:
                raise InputError(f"{skin.name} is no solid, so no ray can be cast through its distance; leave look= out")
        return shapes

    def render(self, frame: int) -> np.ndarray:
        """Draw one frame and return an (height, width, 3) float sRGB image in 0…1."""
        device, (width, height) = self.device, self.size
        vec3, real = device.types.vec3, device.types.real
        shapes = self._shapes(frame)
        bounds = np.stack([s.bounds for s in shapes])
        wide = [0.75 * min(steps) if (steps := _spacings(s)) else CLOSE * self.reach for s in shapes]
        hues = np.array([colours.parsed(colours.body_colour(k)) for k in range(len(shapes))])
        image = device.zeros(width * height, vec3)
        backs = np.array([colours.parsed(c) for c in BACK])
        given = (bounds[:, 0], bounds[:, 1], colours.linear(hues), colours.linear(backs))
        low, high, palette, back = (device.array(a, vec3) for a in given)
        around = {"low": low, "high": high, "wide": device.array(wide, real), "close": float(CLOSE * self.reach)}
        seen = filled(shapes_struct(device.precision), **vars(upload(shapes, device)), **around)
        camera, kernel = self.camera.seen(device, self.size, self.samples), raycast_kernels(device.precision).cast
        device.launch(kernel, width * height, camera, seen, palette, back, vec3(*self.sun), image, grain=512)
        device.forget()
        return colours.encoded(image.numpy().reshape(height, width, 3))


def _spacings(shape: Sdf) -> list[float]:
    """Distances between the samples of a shape's grids [m]."""
    return [step.scale * min(step.shape) for step in shape.program if step.op == GRID]
