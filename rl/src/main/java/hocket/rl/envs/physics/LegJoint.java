package hocket.rl.envs.physics;

import org.dyn4j.dynamics.Body;
import org.dyn4j.dynamics.Settings;
import org.dyn4j.dynamics.TimeStep;
import org.dyn4j.dynamics.joint.AbstractPairedBodyJoint;
import org.dyn4j.geometry.Interval;
import org.dyn4j.geometry.Mass;
import org.dyn4j.geometry.Rotation;
import org.dyn4j.geometry.Vector2;

/**
 * The joint of a lander's leg: a revolute joint with a motor and limits, solved as Box2D 2.3 solves one. dyn4j's own resembles a
 * later Box2D: its limits act a step ahead, so a hard landing does not bend the legs far enough for the hull to touch the ground.
 *
 * <p>With r the anchor from a body's centre of mass, m^-1 and I^-1 its inverse mass and inertia, v and w its velocities, the
 * impulse J (x, y, and a turn at a limit) solves, at a limit,
 *
 * <pre>
 * K J = -(v2 + w2 x r2 - v1 - w1 x r1, w2 - w1)
 * K   = Σ [m^-1 + I^-1 ry^2, -I^-1 rx ry, -I^-1 ry; -I^-1 rx ry, m^-1 + I^-1 rx^2, I^-1 rx; -I^-1 ry, I^-1 rx, I^-1]
 * </pre>
 *
 * and without the third row and column elsewhere. A turn at a limit only ever pushes away from it.
 */
final class LegJoint extends AbstractPairedBodyJoint<Body> {
    private final Vector2 anchor1;
    private final Vector2 anchor2;
    private final double reference;
    private final double lower;
    private final double upper;
    private final double speed;
    private final double torque;

    private Vector2 r1 = new Vector2();
    private Vector2 r2 = new Vector2();
    private double xx;
    private double xy;
    private double xz;
    private double yy;
    private double yz;
    private double zz;
    private double determinant2;
    private double determinant3;
    private double impulseX;
    private double impulseY;
    private double impulseTurn;
    private double motorImpulse;
    private int limit;

    /**
     * @param anchor1 the joint in the lander's coordinates
     * @param anchor2 the joint in the leg's coordinates
     * @param reference the angle between the two that counts as 0
     * @param lower the smallest angle
     * @param upper the largest angle
     * @param speed the motor's angular velocity
     * @param torque the motor's largest torque
     */
    LegJoint(
            Body lander,
            Body leg,
            Vector2 anchor1,
            Vector2 anchor2,
            double reference,
            double lower,
            double upper,
            double speed,
            double torque) {
        super(lander, leg);
        this.anchor1 = anchor1;
        this.anchor2 = anchor2;
        this.reference = reference;
        this.lower = lower;
        this.upper = upper;
        this.speed = speed;
        this.torque = torque;
    }

    private double angle() {
        return Rotation.getNormalizedAngle(
                body2.getTransform().getRotationAngle() - body1.getTransform().getRotationAngle() - reference);
    }

    /** Computes r1, r2 and K at the bodies' present positions. */
    private void measure() {
        r1 = body1.getTransform().getTransformedR(body1.getLocalCenter().to(anchor1));
        r2 = body2.getTransform().getTransformedR(body2.getLocalCenter().to(anchor2));
        double turnable1 = body1.getMass().getInverseInertia();
        double turnable2 = body2.getMass().getInverseInertia();
        double movable = body1.getMass().getInverseMass() + body2.getMass().getInverseMass();
        xx = movable + turnable1 * r1.y * r1.y + turnable2 * r2.y * r2.y;
        xy = -turnable1 * r1.x * r1.y - turnable2 * r2.x * r2.y;
        xz = -turnable1 * r1.y - turnable2 * r2.y;
        yy = movable + turnable1 * r1.x * r1.x + turnable2 * r2.x * r2.x;
        yz = turnable1 * r1.x + turnable2 * r2.x;
        zz = turnable1 + turnable2;
        determinant2 = xx * yy - xy * xy;
        determinant3 = xx * (yy * zz - yz * yz) + xy * (yz * xz - xy * zz) + xz * (xy * yz - yy * xz);
    }

    @Override
    public void initializeConstraints(TimeStep step, Settings settings) {
        measure();
        double angle = angle();
        int before = limit;
        limit = angle <= lower ? -1 : angle >= upper ? 1 : 0;
        if (limit == 0 || limit != before) {
            impulseTurn = 0;
        }
        apply(impulseX, impulseY, impulseTurn + motorImpulse);
    }

    /** Changes the bodies' velocities by an impulse at the joint and a turn. */
    private void apply(double x, double y, double turn) {
        Mass mass1 = body1.getMass();
        Mass mass2 = body2.getMass();
        double inverse1 = mass1.getInverseMass();
        double inverse2 = mass2.getInverseMass();
        body1.getLinearVelocity().subtract(x * inverse1, y * inverse1);
        body2.getLinearVelocity().add(x * inverse2, y * inverse2);
        body1.setAngularVelocity(body1.getAngularVelocity() - mass1.getInverseInertia() * (r1.x * y - r1.y * x + turn));
        body2.setAngularVelocity(body2.getAngularVelocity() + mass2.getInverseInertia() * (r2.x * y - r2.y * x + turn));
    }

    @Override
    public void solveVelocityConstraints(TimeStep step, Settings settings) {
        drive(torque * step.getDeltaTime());
        Vector2 v1 = body1.getLinearVelocity();
        Vector2 v2 = body2.getLinearVelocity();
        double w1 = body1.getAngularVelocity();
        double w2 = body2.getAngularVelocity();
        double x = v1.x - w1 * r1.y - v2.x + w2 * r2.y;
        double y = v1.y + w1 * r1.x - v2.y - w2 * r2.x;
        double turn = limit == 0 ? 0 : turnAtLimit(x, y, w1 - w2);
        if (limit * (impulseTurn + turn) > 0) {
            turn = -impulseTurn;
        }
        double dx = x - xz * turn;
        double dy = y - yz * turn;
        double impulse1 = (yy * dx - xy * dy) / determinant2;
        double impulse2 = (xx * dy - xy * dx) / determinant2;
        impulseX += impulse1;
        impulseY += impulse2;
        impulseTurn += turn;
        apply(impulse1, impulse2, turn);
    }

    private void drive(double most) {
        double turning = body2.getAngularVelocity() - body1.getAngularVelocity();
        double driven = Interval.clamp(motorImpulse - (turning - speed) / zz, -most, most) - motorImpulse;
        motorImpulse += driven;
        apply(0, 0, driven);
    }

    /** The third component of the solution of K J = (x, y, z). */
    private double turnAtLimit(double x, double y, double z) {
        return (x * (xy * yz - yy * xz) + y * (xy * xz - xx * yz) + z * determinant2) / determinant3;
    }

    @Override
    public boolean solvePositionConstraints(TimeStep step, Settings settings) {
        double tolerance = settings.getAngularTolerance();
        double beyond = 0;
        if (limit != 0) {
            double angle = angle();
            beyond = limit < 0 ? lower - angle : angle - upper;
            double turn = limit * Interval.clamp(beyond - tolerance, 0, settings.getMaximumAngularCorrection()) / zz;
            body1.rotateAboutCenter(body1.getMass().getInverseInertia() * turn);
            body2.rotateAboutCenter(-body2.getMass().getInverseInertia() * turn);
        }
        measure();
        Vector2 gap =
                body1.getWorldCenter().add(r1).subtract(body2.getWorldCenter().add(r2));
        double x = (yy * gap.x - xy * gap.y) / determinant2;
        double y = (xx * gap.y - xy * gap.x) / determinant2;
        double inverse1 = body1.getMass().getInverseMass();
        double inverse2 = body2.getMass().getInverseMass();
        body1.translate(-inverse1 * x, -inverse1 * y);
        body1.rotateAboutCenter(-body1.getMass().getInverseInertia() * (r1.x * y - r1.y * x));
        body2.translate(inverse2 * x, inverse2 * y);
        body2.rotateAboutCenter(body2.getMass().getInverseInertia() * (r2.x * y - r2.y * x));
        return gap.getMagnitude() <= settings.getLinearTolerance() && beyond <= tolerance;
    }

    @Override
    public Vector2 getReactionForce(double frequency) {
        return new Vector2(impulseX * frequency, impulseY * frequency);
    }

    @Override
    public double getReactionTorque(double frequency) {
        return (impulseTurn + motorImpulse) * frequency;
    }

    @Override
    public LegJoint copy() {
        return copy(body1, body2);
    }

    @Override
    public LegJoint copy(Body lander, Body leg) {
        return new LegJoint(lander, leg, anchor1, anchor2, reference, lower, upper, speed, torque);
    }

    /** Does nothing: the anchors are relative to the bodies. */
    @Override
    public void shift(Vector2 by) {}
}
